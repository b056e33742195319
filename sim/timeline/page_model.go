package timeline

// Page is everything that one page shows.
type Page struct {
	Title      string      `json:"title"`
	Verdict    string      `json:"verdict"` // passed, failed or undecided
	Facts      []Fact      `json:"facts"`   // what was run
	Notices    []string    `json:"notices"` // what is left out, what is not decided
	Violations []Violation `json:"violations"`
	Lanes      []Lane      `json:"lanes"`
	Items      Items       `json:"items"`
	Bands      []Band      `json:"bands"`
	Epochs     []Epoch     `json:"epochs"`
	Slice      []Cited     `json:"slice"`   // what led to the first violation
	Strings    []string    `json:"strings"` // that Items names by their places
	Kinds      []string    `json:"kinds"`   // of items, likewise
	Porcupine  string      `json:"porcupine"`
	Of         string      `json:"porcupine_of"` // the stream that porcupine's page is of
}

// Fact is a line of the head: what it is, and its value.
type Fact struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Violation is one violation, as it is told.
type Violation struct {
	Check    string `json:"check"`
	Sentence string `json:"sentence"`
	Detail   string `json:"detail"`
	At       int64  `json:"at"`   // nanoseconds; -1 where the trace does not tell
	Item     int    `json:"item"` // its mark; -1 where there is none
	About    []int  `json:"about"`
}

// Lane is one star, client, store or the metastore.
type Lane struct {
	Name string `json:"name"`
	ID   string `json:"id"`   // of a star; may be several
	Kind string `json:"kind"` // violations, fleet, star, client, meta, store
	Rows []Row  `json:"rows"`
}

// Row is a line of a lane.
type Row struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // life, epochs, slots, leads, marks, calls, operations
}

// Items are what lies in the rows, as columns: they are many. Items are in the order of the rows, and in a row in that of time.
type Items struct {
	Row   []int   `json:"row"` // counted through all lanes
	At    []int64 `json:"at"`
	For   []int64 `json:"for"` // 0: a point
	Kind  []int   `json:"kind"`
	Label []int   `json:"label"`
	Text  []int   `json:"text"`
	Mark  []int   `json:"mark"`  // marks that are set: 1 what a violation is about, 2 led to the first
	Event []int   `json:"event"` // number in the trace; 0: none
}

// Len is the number of items.
func (i *Items) Len() int { return len(i.Row) }

// The marks of an item.
const (
	aboutViolation = 1
	ledThere       = 2
)

// Band is a time in which something was wrong with a lane.
type Band struct {
	Lane int    `json:"lane"`
	At   int64  `json:"at"`
	For  int64  `json:"for"`
	Kind string `json:"kind"` // dead, paused, cut, slow, down
	Text string `json:"text"`
}

// Epoch is a chain epoch and what became of its slots.
type Epoch struct {
	Name   string   `json:"name"`
	Item   int      `json:"item"` // its bar
	Class  string   `json:"class"`
	State  string   `json:"state"`
	Cut    string   `json:"cut"`
	Stores []string `json:"stores"`
	Slots  []Slot   `json:"slots"`
}

// Slot is one slot of an epoch.
type Slot struct {
	Number int    `json:"number"`
	Fate   string `json:"fate"`  // durable, poisoned, dead, beyond, open
	Holds  string `json:"holds"` // one letter for each store: f flight, p poison, d damaged, g gone, - nothing
	Text   string `json:"text"`  // the windows
}

// Cited is one event of the slice.
type Cited struct {
	At      int64  `json:"at"`
	Where   string `json:"where"`
	Text    string `json:"text"`
	Why     string `json:"why"`
	Causes  []int  `json:"causes"`
	Subject bool   `json:"subject"`
	Item    int    `json:"item"`
}
