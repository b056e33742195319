package chain

import "fmt"

// heard takes in how a try to put a flight into a store ended, and tells when that changes: a store that answers nothing
// keeps its class from acknowledging, however often it is tried.
func (w *Writer) heard(store Store, err error) {
	before := w.trouble[store.ID]
	switch {
	case err != nil && before == nil:
		w.env.Run.Note("store takes no flights", "store", store.ID, "zone", store.Zone, "class", w.set.Class.Word(), "why", err)
	case err == nil && before != nil:
		w.env.Run.Note("store takes flights again", "store", store.ID, "zone", store.Zone, "class", w.set.Class.Word())
	}
	w.trouble[store.ID] = err
}

// Trouble says, for a human, which stores of the class did not take the last flight they were given, and why.
func (w *Writer) Trouble() []string {
	var all []string
	for _, store := range w.set.Stores {
		if err := w.trouble[store.ID]; err != nil {
			name := string(store.ID)
			if store.Zone != "" {
				name += " (zone " + store.Zone + ")"
			}
			all = append(all, fmt.Sprintf("store %s took no flight at the last try: %v", name, err))
		}
	}
	return all
}
