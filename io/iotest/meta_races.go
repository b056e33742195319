package iotest

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/novastream/nova/io/meta"
)

const racers = 32

// metaRaceCases are writes of one key at once.
func metaRaceCases() []Case[MetaHarness] {
	return []Case[MetaHarness]{
		{"race/one create of 32 wins", caseMetaRaceCreate},
		{"race/one ephemeral create of 32 wins", caseMetaRaceEphemeral},
		{"race/one change of 32 wins", caseMetaRaceChange},
		{"race/one delete of 32 wins", caseMetaRaceDelete},
		{"race/counters lose nothing", caseMetaRaceCounter},
	}
}

// race lets 32 tasks of four clients write at once; exactly one may succeed, and every other meets a conflict.
func (h MetaHarness) race(what string, write func(ctx context.Context, s meta.Spaces, i int) error) (winner int) {
	h.T.Helper()
	clients := []MetaClient{h.Client(), h.Client(), h.Client(), h.Client()}
	winner = -1
	won := 0
	h.together(racers, func(ctx context.Context, i int) {
		err := write(ctx, clients[i%len(clients)].Spaces, i)
		switch {
		case err == nil:
			won++
			winner = i
		case !errors.Is(err, meta.ErrConflict):
			h.fatalf("%s: racer %d got %v, want %v", what, i, err, meta.ErrConflict)
		}
	})
	if won != 1 {
		h.fatalf("%s: %d of %d racers won", what, won, racers)
	}
	return winner
}

func caseMetaRaceCreate(h MetaHarness) {
	s := h.Client().Spaces
	for round := range 5 {
		key := fmt.Sprintf("p/%d", round)
		winner := h.race("create", func(ctx context.Context, s meta.Spaces, i int) error {
			_, err := s.Records.Within("p").Put(ctx, key, []byte(strconv.Itoa(i)), meta.Absent())
			return err
		})
		rec, err := s.Records.Within("p").Fresh().Get(h.Ctx, key)
		h.must(err, "get")
		if string(rec.Value) != strconv.Itoa(winner) {
			h.fatalf("racer %d won, but the record is of %q", winner, rec.Value)
		}
		winner = h.race("create of a name", func(ctx context.Context, s meta.Spaces, i int) error {
			_, err := s.Naming.PutIndexed(ctx, key, []byte(strconv.Itoa(i)), meta.Absent(), by("id", fmt.Sprintf("%d-%d", round, i)))
			return err
		})
		rec, err = s.Naming.Fresh().GetByIndex(h.Ctx, "id", fmt.Sprintf("%d-%d", round, winner))
		if err != nil || string(rec.Value) != strconv.Itoa(winner) {
			h.fatalf("racer %d won, but its index finds %q, %v", winner, rec.Value, err)
		}
	}
}

func caseMetaRaceEphemeral(h MetaHarness) {
	h.race("ephemeral create", func(ctx context.Context, s meta.Spaces, _ int) error {
		_, err := s.Ephemeral.PutEphemeral(ctx, "p/lease", []byte("x"), meta.Absent())
		return err
	})
}

func caseMetaRaceChange(h MetaHarness) {
	m := h.Client().Records
	v := h.put(metastorePoints{m}, "p/k", "start", meta.Absent())
	h.race("change", func(ctx context.Context, s meta.Spaces, i int) error {
		_, err := s.Records.Put(ctx, "p/k", []byte(strconv.Itoa(i)), meta.At(v))
		return err
	})
}

func caseMetaRaceDelete(h MetaHarness) {
	m := h.Client().Records
	v := h.put(metastorePoints{m}, "p/k", "start", meta.Absent())
	h.race("delete", func(ctx context.Context, s meta.Spaces, _ int) error {
		return s.Records.Delete(ctx, "p/k", meta.At(v))
	})
	h.wantAbsent(metastorePoints{m}, "p/k")
}

// Tasks of several clients add to one counter by compare-and-set until each had ten turns.
func caseMetaRaceCounter(h MetaHarness) {
	const tasks, turns = 8, 10
	start := h.Client().Records
	h.put(metastorePoints{start}, "p/n", "0", meta.Absent())
	h.together(tasks, func(ctx context.Context, _ int) {
		m := h.Client().Records
		for done := 0; done < turns; {
			rec, err := m.Fresh().Get(ctx, "p/n")
			h.must(err, "get")
			n, _ := strconv.Atoi(string(rec.Value))
			_, err = m.Put(ctx, "p/n", []byte(strconv.Itoa(n+1)), meta.At(rec.Version))
			if err == nil {
				done++
				continue
			}
			h.wants(err, "add one", meta.ErrConflict)
		}
	})
	rec, err := start.Fresh().Get(h.Ctx, "p/n")
	h.must(err, "get")
	if string(rec.Value) != strconv.Itoa(tasks*turns) {
		h.fatalf("counter is at %s after %d increments", rec.Value, tasks*turns)
	}
}
