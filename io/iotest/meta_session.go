package iotest

import (
	"errors"
	"fmt"

	"github.com/novastream/nova/io/meta"
)

// metaSessionCases are ephemeral rows and the sessions behind them.
func metaSessionCases() []Case[MetaHarness] {
	return []Case[MetaHarness]{
		{"session/rows go with their session", caseMetaSessionEnds},
		{"session/expectations", caseMetaSessionExpect},
		{"session/rows change hands", caseMetaSessionHands},
		{"session/a new session follows", caseMetaSessionAgain},
	}
}

func (h MetaHarness) putEphemeral(m meta.Metastore, key, value string, expect meta.Expect) meta.Version {
	h.T.Helper()
	v, err := m.PutEphemeral(h.Ctx, key, []byte(value), expect)
	h.must(err, "put ephemeral %q", key)
	return v
}

func caseMetaSessionEnds(h MetaHarness) {
	a, b := h.Client(), h.Client()
	v := h.putEphemeral(a.Ephemeral, "p/a", "a", meta.Absent())
	h.wantRecord(metastorePoints{b.Ephemeral}, "p/a", "a", v)
	for i := range 5 {
		loc := fmt.Sprintf("streams/s%d", i)
		h.putEphemeral(a.Ephemeral.Within(loc), loc+"/lease", "a", meta.Absent())
	}
	h.putEphemeral(b.Ephemeral, "p/b", "b", meta.Absent())
	h.putRecords(a.Ephemeral, "p/durable")
	h.wantScan(b.Ephemeral, "p", "", 10, "a", "b", "durable")

	a.Expire(h.Ctx)
	h.wantScan(b.Ephemeral, "p", "", 10, "b", "durable")
	h.wantAbsent(metastorePoints{a.Ephemeral}, "p/a")
	for i := range 5 {
		loc := fmt.Sprintf("streams/s%d", i)
		h.wantAbsent(metastorePoints{b.Ephemeral.Within(loc)}, loc+"/lease")
	}
	again := h.put(metastorePoints{b.Ephemeral}, "p/a", "again", meta.Absent())
	if again == v {
		h.fatalf("version %d came twice, over the end of a session", v)
	}
}

func caseMetaSessionExpect(h MetaHarness) {
	m := h.Client().Ephemeral
	v1 := h.putEphemeral(m, "p/k", "one", meta.Absent())
	_, err := m.PutEphemeral(h.Ctx, "p/k", []byte("two"), meta.Absent())
	h.wants(err, "ephemeral create of what exists", meta.ErrConflict)
	v2 := h.putEphemeral(m, "p/k", "two", meta.At(v1))
	_, err = m.PutEphemeral(h.Ctx, "p/k", []byte("late"), meta.At(v1))
	h.wants(err, "ephemeral put at a version of the past", meta.ErrConflict)
	h.wantRecord(metastorePoints{m}, "p/k", "two", v2)
	h.must(m.Delete(h.Ctx, "p/k", meta.At(v2)), "delete of an ephemeral row")
	h.wantAbsent(metastorePoints{m}, "p/k")
	_, err = m.PutEphemeral(h.Ctx, "p//k", nil, meta.Any())
	h.wants(err, "ephemeral put of a bad key", meta.ErrInvalid)
	_, err = m.PutEphemeral(h.Ctx, "p/big", pattern(maxValueBytes+1, 0), meta.Any())
	h.wants(err, "ephemeral put of more than 1 MiB", meta.ErrInvalid)
}

// The last writer decides whose a row is, and whether it is ephemeral at all.
func caseMetaSessionHands(h MetaHarness) {
	a, b := h.Client(), h.Client()
	p := metastorePoints{b.Ephemeral}
	taken := h.putEphemeral(a.Ephemeral, "p/taken", "a", meta.Absent())
	taken = h.putEphemeral(b.Ephemeral, "p/taken", "b", meta.At(taken))
	kept := h.putEphemeral(a.Ephemeral, "p/kept", "a", meta.Absent())
	kept = h.put(p, "p/kept", "durable", meta.At(kept))
	lent := h.put(p, "p/lent", "durable", meta.Absent())
	h.putEphemeral(a.Ephemeral, "p/lent", "a", meta.At(lent))
	reborn := h.putEphemeral(a.Ephemeral, "p/reborn", "a", meta.Absent())
	h.must(b.Ephemeral.Delete(h.Ctx, "p/reborn", meta.At(reborn)), "delete another's row")
	reborn = h.put(p, "p/reborn", "durable", meta.Absent())

	a.Expire(h.Ctx)
	h.wantRecord(p, "p/taken", "b", taken)
	h.wantRecord(p, "p/kept", "durable", kept)
	h.wantAbsent(p, "p/lent")
	h.wantRecord(p, "p/reborn", "durable", reborn)
	b.Expire(h.Ctx)
	h.wantAbsent(p, "p/taken")
	h.wantRecord(p, "p/kept", "durable", kept)
}

func caseMetaSessionAgain(h MetaHarness) {
	a, b := h.Client(), h.Client()
	h.putEphemeral(a.Ephemeral, "p/k", "one", meta.Absent())
	a.Expire(h.Ctx)
	v, err := a.Ephemeral.PutEphemeral(h.Ctx, "p/k", []byte("two"), meta.Absent())
	if errors.Is(err, meta.ErrSessionExpired) { // the client learns of it here, unless it did before
		h.wantAbsent(metastorePoints{b.Ephemeral}, "p/k")
		v, err = a.Ephemeral.PutEphemeral(h.Ctx, "p/k", []byte("two"), meta.Absent())
	}
	h.must(err, "put ephemeral in a new session")
	h.wantRecord(metastorePoints{b.Ephemeral}, "p/k", "two", v)
	a.Expire(h.Ctx)
	h.wantAbsent(metastorePoints{b.Ephemeral}, "p/k")
}
