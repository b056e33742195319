package main_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/novastream/nova/cmd/nova/rig"
)

// The environment of rounds.
const (
	envRounds = "NOVA_FLEET_ROUNDS" // how many; 2 without it
	envStars  = "NOVA_FLEET_STARS"  // how many stars; drawn from 3 to 5 without it
	envSeed   = "NOVA_FLEET_SEED"   // what a run printed, to draw the same rounds again
)

// Rounds of misfortunes drawn at random: stars are killed, paused and cut off from one another, from the metastore and from
// their stores, while clients append and read. After each round the fleet is mended, and then it serves every stream through
// every star, nothing acknowledged is lost, and the history of the round is linearizable.
func TestFleetRounds(t *testing.T) {
	besides(t)
	rounds, seed := number(t, envRounds, 2), number(t, envSeed, int(time.Now().UnixNano()%1e9))
	rng := rand.New(rand.NewPCG(uint64(seed), 0))
	f := newFleet(t, number(t, envStars, 3+rng.IntN(3)))
	t.Logf("%d rounds of %d stars; again: %s=%d", rounds, len(f.stars), envSeed, seed)
	for i := range rounds {
		t.Run(fmt.Sprint("round ", i), func(t *testing.T) { f.of(t).round(rng, fmt.Sprint("round-", i)) })
		if t.Failed() {
			return // what comes after it would show its damage
		}
	}
}

func number(t *testing.T, env string, def int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(env), strconv.Itoa(def)))
	if err != nil {
		t.Fatalf("%s: %v", env, err)
	}
	return n
}

// round is one round on streams of its own.
func (f *fleet) round(rng *rand.Rand, name string) {
	f.Helper()
	r := newRecorder()
	streams := f.streams(name, 8)
	working, stop := context.WithCancel(f.Context())
	var clients sync.WaitGroup
	for i := range 12 {
		stream := streams[i%len(streams)]
		if stream.Bucket == "fenced" && i >= len(streams) {
			continue // one producer is enough
		}
		addrs := f.addrs()
		rng.Shuffle(len(addrs), func(i, j int) { addrs[i], addrs[j] = addrs[j], addrs[i] })
		clients.Go(func() { (&worker{t: f.T, r: r, by: r.client(), stream: stream}).run(working, addrs...) })
	}
	clients.Go(func() { (&reader{fleet: f, r: r, by: r.client(), streams: streams}).run(working) })

	misfortunes := f.draw(rng)
	last(between(rng, 200*time.Millisecond, time.Second))
	for _, m := range misfortunes {
		f.Logf("%s", m.name)
		m.begin()
		last(between(rng, 0, time.Second))
	}
	last(between(rng, 0, 2*session))
	for _, m := range misfortunes {
		m.end()
	}
	f.mend()
	mended := time.Now()
	last(between(rng, 0, session))
	stop()
	clients.Wait()
	f.serves(r, streams...)
	f.Logf("it served again %v after it was mended", time.Since(mended))
	f.judge(r)
}

func between(rng *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(rng.Int64N(int64(high-low)))
}

// last lets a state of the world last: the misfortunes of real processes take real time.
func last(d time.Duration) { <-time.After(d) }

// misfortune is something that befalls a fleet. After its end and a mend the fleet is as before.
type misfortune struct {
	name       string
	begin, end func()
}

// draw draws one misfortune to three, of different stars where they befall one.
func (f *fleet) draw(rng *rand.Rand) (drawn []misfortune) {
	stars := slices.Clone(f.stars)
	rng.Shuffle(len(stars), func(i, j int) { stars[i], stars[j] = stars[j], stars[i] })
	for _, star := range stars[:1+rng.IntN(min(3, len(stars)))] {
		kinds := []func(*rand.Rand, *member) misfortune{f.killed, f.stopped, f.paused, f.cutOff, f.cutOff, f.cutOff}
		drawn = append(drawn, kinds[rng.IntN(len(kinds))](rng, star))
	}
	switch rng.IntN(3) {
	case 0:
		drawn = append(drawn, f.disturbed(rng))
	case 1:
		drawn = append(drawn, f.slowStores(rng))
	}
	return drawn
}

func nothing() {}

// killed is the death of a process. It is started again by the mend, or at once.
func (f *fleet) killed(rng *rand.Rand, m *member) misfortune {
	if rng.IntN(3) == 0 {
		return misfortune{"kill and start the star at " + m.port(), func() { m.kill(); m.start() }, nothing}
	}
	return misfortune{"kill the star at " + m.port(), m.kill, nothing}
}

// stopped is a SIGTERM: the star finishes its streams and goes. It is started again by the mend.
func (f *fleet) stopped(_ *rand.Rand, m *member) misfortune {
	return misfortune{"stop the star at " + m.port(), func() { m.signal(syscall.SIGTERM) }, func() { m.wait() }}
}

func (f *fleet) paused(_ *rand.Rand, m *member) misfortune {
	return misfortune{"pause the star at " + m.port(), m.pause, m.resume}
}

// cutOff puts a fault on the ways of a star to, or from, one kind of its neighbours.
func (f *fleet) cutOff(rng *rand.Rand, m *member) misfortune {
	named := []struct {
		name string
		ways *ways
	}{{"its metastore", m.meta}, {"its store", m.store}, {"its zones", m.zones}, {"clients and stars", m.face}}
	to := named[rng.IntN(len(named))]
	fault := rig.Fault{Kind: []rig.Kind{rig.Cut, rig.Silent, rig.Deaf, rig.Slow}[rng.IntN(4)], Delay: between(rng, 10*time.Millisecond, 500*time.Millisecond)}
	return misfortune{
		fmt.Sprintf("the star at %s and %s: %v", m.port(), to.name, fault), func() { to.ways.set(fault) }, nothing,
	}
}

// slowStores makes the S3 server slow for all.
func (f *fleet) slowStores(rng *rand.Rand) misfortune {
	fault := rig.Fault{Kind: rig.Slow, Delay: between(rng, 50*time.Millisecond, 400*time.Millisecond)}
	return misfortune{fmt.Sprint("all stores are slow by ", fault.Delay), func() {
		for _, m := range f.stars {
			m.store.set(fault)
			m.zones.set(fault)
		}
	}, nothing}
}

// disturbed is a misfortune of the servers of Oxia.
func (f *fleet) disturbed(rng *rand.Rand) misfortune {
	c := f.world.cluster
	switch {
	case c == nil && os.Getenv(envDisturb) == "":
		return misfortune{"nothing disturbs Oxia", nothing, nothing}
	case c == nil:
		return misfortune{"Oxia: " + os.Getenv(envDisturb), func() { f.run(os.Getenv(envDisturb)) }, nothing}
	case rng.IntN(2) == 0:
		return misfortune{"Oxia: all leaders move", func() {
			for _, s := range append(c.Shards("default"), c.Shards("naming")...) {
				c.MoveLeader(s.ID, (s.Leader+1)%3)
			}
		}, nothing}
	default:
		node := rng.IntN(3)
		return misfortune{fmt.Sprint("Oxia: server ", node, " stops"), func() {
			c.StopNode(node)
			for _, s := range append(c.Shards("default"), c.Shards("naming")...) {
				if s.Leader == node {
					c.MoveLeader(s.ID, (node+1)%3)
				}
			}
		}, func() {
			if err := c.StartNode(node); err != nil {
				f.Error(err)
			}
		}}
	}
}

// run runs a program that the environment named.
func (f *fleet) run(program string) {
	f.Helper()
	command := exec.CommandContext(f.Context(), "sh", "-c", program)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Run(); err != nil {
		f.Errorf("%s: %v\n%s", program, err, said.String())
	}
}
