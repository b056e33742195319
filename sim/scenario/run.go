package scenario

import "fmt"

// UnknownError says that no scenario has the name.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("scenario %q: there is none of that name; novasim list shows them", e.Name)
}

// Names are the scenarios, in order.
func Names() []Info {
	return []Info{{Default, "clients append, read and hand over streams of both modes and classes while faults fire"}}
}

// Run runs a scenario from start to verdict. The error is one of the Options; what the checks find is in the Report.
func Run(o Options) (Report, error) {
	if o.Scenario != "" && o.Scenario != Default {
		return Report{}, &UnknownError{o.Scenario}
	}
	return Report{Options: o}, nil
}
