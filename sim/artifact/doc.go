// Package artifact is a failing run as one file: everything that is needed to run it again, to the step, and what is to come
// of it.
//
// It decides the format of the file and what counts as the same version of the code. It does not run anything but Course,
// and it opens no files.
//
// # The file
//
// JSON, one object a line: the version of the code, the options, the acts where the run has a script, and what is expected.
//
//	{"nova_failure":2,"revision":"3f0c…","course":"9a51…","made_by":"novasim shrink -seed 7"}
//	{"seed":7,"scenario":"default","stars":5,"zones":3,"clients":8,"streams":12,"duration":"10m0s","scripted":true}
//	{"at":1200000000,"act":"client-3 produce","n":4}
//	{"expect":"a1b2…","check":"history:lost-ack","sentence":"…","sum":"77e0…"}
//
// Invariants:
//   - what is read is what was written: a file with a field that this code does not know, or without its last line, is refused,
//     and one whose lines are not those of its checksum is known as changed
//   - every field of scenario.Options that says what runs is in the file
//
// Design: simulation.md ("Histories"). Read artifact.go first.
package artifact
