package history

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func dump(log *Log) string {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{Clock: "virtual", MadeBy: "test"})
	if err != nil {
		panic(err)
	}
	for _, e := range log.events {
		w.Record(e)
	}
	if err := w.Flush(); err != nil {
		panic(err)
	}
	return out.String()
}

func events(s Source) ([]Event, error) {
	var all []Event
	for e, err := range s.Events() {
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
	return all, nil
}

// TestWrittenHistoriesReadBack: writing, reading and writing again gives the same text, and the same result.
func TestWrittenHistoriesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := generate(t, true, true)
		text := dump(&w.log)
		stored, err := NewStored(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		read, err := events(stored)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again := dump(&Log{events: read}); again != text {
			t.Fatalf("written %s\nread and written %s", text, again)
		}
		fromFile, err := Check(stored, DefaultConfig())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fromFile.String(), check(t, &w.log).String(); got != want {
			t.Fatalf("from the file:\n%s\nfrom memory:\n%s", got, want)
		}
	})
}

const goodHeader = `{"nova_history":1,"clock":"virtual"}` + "\n"

func tail(more string) string {
	return `{"at":1,"invoke":"tail","client":1,"op":1,"stream":"a/b"` + more + `}`
}

// TestBadLines: what is wrong with a line is told with its number.
func TestBadLines(t *testing.T) {
	invoke := `{"at":1,"invoke":"append","client":1,"op":1,"stream":"a/b","hashes":["1"]}` + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "history line 1: the file is empty; the first line must be the header"},
		{"{}\n", "history line 1: nova_history is version 0; this reader knows version 1"},
		{`{"nova_history":2,"clock":"wall"}`, "history line 1: nova_history is version 2; this reader knows version 1"},
		{`{"nova_history":1,"clock":"sun"}`, `history line 1: clock is "sun"; it must be "virtual" or "wall"`},
		{`{"at":1}`, `history line 1: not the header of a history (unknown field "at"); the first line must be like {"nova_history":1,"clock":"virtual"}`},
		{goodHeader + "hello\n", `history line 2: found "hello" at column 1, where '{' was expected`},
		{goodHeader + "\n\n{}\n", `history line 4: it is neither "invoke" nor "complete" nor "final"`},
		{goodHeader + `{"at":1,"invoke":"fly"}` + "\n", `history line 2: field "invoke": "fly" is none of open, append, read, tail`},
		{goodHeader + `{"at":1,"complete":"tail"}` + "\n", `history line 2: a complete lacks the field "outcome"`},
		{goodHeader + tail("") + "\n", ""},
		{goodHeader + `{"at":1,"invoke":"tail","client":1,"op":1}` + "\n", `history line 2: an invoke of tail lacks the field "stream"`},
		{goodHeader + tail(`,"from":0`) + "\n", `history line 2: an invoke of tail cannot have the field "from"`},
		{goodHeader + tail(`,"speed":0`) + "\n", `history line 2: unknown field "speed"`},
		{goodHeader + tail(`,"at":1`) + "\n", `history line 2: the field "at" is there twice`},
		{goodHeader + tail(`,`) + "\n", `history line 2: found "}" at column 58, where a string was expected`},
		{goodHeader + `{"at":1,"client":-1}` + "\n", `history line 2: field "client": found "-1}" at column 18, where a whole number from 0 on was expected`},
		{goodHeader + `{"at":01}` + "\n", `history line 2: field "at": found "01}" at column 7, where a whole number was expected`},
		{goodHeader + `{"at":99999999999999999999}` + "\n", `history line 2: field "at": 99999999999999999999 does not fit into 64 bits`},
		{goodHeader + `{"at_tail":7}` + "\n", `history line 2: field "at_tail": found "7}" at column 12, where true or false was expected`},
		{goodHeader + tail("") + " x\n", `history line 2: more text follows after the object`},
		{goodHeader + `{"at":1,"invoke":"tail"` + "\n", `history line 2: the line ends too early`},
		{goodHeader + `{"hashes":["xyz"]}` + "\n", `history line 2: field "hashes": "xyz" is not a hash of 1 to 16 hexadecimal digits`},
		{goodHeader + `{"hashes":[null]}` + "\n", `history line 2: field "hashes": found "null]}" at column 12, where a string was expected`},
		{goodHeader + `{"stream":"\x"}` + "\n", `history line 2: field "stream": "\x" is not a string: invalid character 'x' in string escape code`},
		{goodHeader + "{\"stream\":\"\xff\"}\n", `history line 2: field "stream": "\"\xff\"" is not valid UTF-8`},
		{goodHeader + invoke + invoke, "history line 3: client 1 invokes operation 1 after operation 1; the ids of a client must increase"},
		{goodHeader + invoke + `{"at":1,"complete":"tail","outcome":"ok","client":1,"op":1,"tail":0}` + "\n", "history line 3: operation 1 of client 1 was invoked as append and completes as tail"},
		{goodHeader + invoke + `{"at":1,"complete":"append","outcome":"failed","client":1,"op":1,"code":"match-failed"}` + "\n", `history line 3: a complete that failed with match-failed lacks the field "tail"`},
		{goodHeader + invoke + `{"at":1,"complete":"append","outcome":"failed","client":1,"op":1,"code":"fenced"}` + "\n", `history line 3: a complete that failed with fenced lacks the field "token"`},
		{goodHeader + `{"at":1,"final":"a","first":1,"hashes":[]}` + "\n", "history line 2: final contents of stream a go on at seq 1, expected seq 0"},
	} {
		stored, err := NewStored(strings.NewReader(c.text))
		if err == nil {
			_, err = events(stored)
		}
		if c.want == "" && err == nil {
			continue
		}
		var bad *BadEventError
		if !errors.As(err, &bad) || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestTornLastLine: a recorder that was killed leaves half a line, which is left out with a warning.
func TestTornLastLine(t *testing.T) {
	text := goodHeader + `{"at":1,"invoke":"append","client":1,"op":1,"stream":"a","hashes":["1"]}` + "\n" + `{"at":2,"complete":"append","outcome`
	stored, err := NewStored(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	all, err := events(stored)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d events, error %v", len(all), err)
	}
	if want := "history line 3 is torn"; !strings.HasPrefix(stored.Warning(), want) {
		t.Errorf("warning %q, want %s", stored.Warning(), want)
	}
}

// TestLongLine: a line far longer than the read buffer is read whole.
func TestLongLine(t *testing.T) {
	log := &Log{}
	log.Invoke(Invoke{Client: 1, Op: 1, Kind: Append, Stream: "a", Hashes: make([]Hash, 100_000)})
	stored, err := NewStored(strings.NewReader(dump(log)))
	if err != nil {
		t.Fatal(err)
	}
	all, err := events(stored)
	if err != nil || len(all) != 1 || len(all[0].(Invoke).Hashes) != 100_000 {
		t.Fatalf("%d events, error %v", len(all), err)
	}
}

// FuzzStored: no input makes the reader or the checks panic, and what is read is written and read the same.
func FuzzStored(f *testing.F) {
	for _, log := range seeds() {
		f.Add([]byte(dump(log)))
	}
	f.Add([]byte(goodHeader + `{"at":2,"complete":"append","outcome`))
	f.Fuzz(func(t *testing.T, text []byte) {
		stored, err := NewStored(bytes.NewReader(text))
		if err != nil {
			return
		}
		read, err := events(stored)
		if err != nil {
			return
		}
		written := dump(&Log{events: read})
		again, err := NewStored(strings.NewReader(written))
		if err != nil {
			t.Fatal(err)
		}
		reread, err := events(again)
		if err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if second := dump(&Log{events: reread}); second != written {
			t.Fatalf("written %s\nread and written %s", written, second)
		}
		if _, err := Check(stored, Config{MaxOps: 50, MaxSteps: 1000}); err != nil {
			t.Fatal(err)
		}
	})
}

func seeds() []*Log {
	var logs []*Log
	for _, text := range []string{
		"1 append a b match=0 token=3\n1 acked 0\n2 read 0 lin\n2 got 0 a b tail\n2 tail\n2 answered 2\nfinal a b",
		"1 open\n1 opened tail=0 token=4\n1 append a token=4 match=7\n1 refused tail=0\n1 append b token=4\n1 fenced token=5\nfinal",
		"1 append a\n1 unknown\n2 append b\n2 failed\n3 read 0\n3 got 0 a\nfinal a",
	} {
		log, err := parseScript(text)
		if err != nil {
			panic(err)
		}
		logs = append(logs, log)
	}
	return logs
}
