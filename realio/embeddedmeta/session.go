package embeddedmeta

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/novastream/nova/io/meta"
)

// session binds ephemeral rows to a client. Sessions belong to the committer.
type session struct {
	id   uint64          // of this opening; 0 is none
	rows map[string]bool // row keys; all true
}

// Client is one client of the store, with a session of its own.
type Client struct {
	store *Store
	// The rest belongs to the committer.
	session *session // nil until the first ephemeral row, and after the session ended
	expired bool     // the session ended and the client was not told yet
	closed  bool
}

// Client makes a client. Its session begins with its first ephemeral row.
func (s *Store) Client() *Client { return &Client{store: s} }

// Spaces are the namespaces as this client reaches them.
func (c *Client) Spaces() meta.Spaces {
	return meta.Spaces{
		Records:   metastore{c, spaceRecords},
		Work:      metastore{c, spaceWork},
		Ephemeral: metastore{c, spaceEphemeral},
		Naming:    naming{c, spaceNaming},
	}
}

// Expire ends the client's session the way a service does that has not heard of it for long: its rows are gone when Expire
// returns, and the client learns of it with its next ephemeral put.
func (c *Client) Expire(ctx context.Context) error {
	_, err := c.store.submit(ctx, func(e *edit) error {
		c.expired = c.expired || c.session != nil
		return e.endSession(c)
	})
	return err
}

// Close ends the client's session. Later ephemeral puts are unavailable.
func (c *Client) Close(ctx context.Context) error {
	_, err := c.store.submit(ctx, func(e *edit) error {
		c.closed = true
		return e.endSession(c)
	})
	return err
}

var errClientClosed = errors.New("the client is closed")

// owner is the session that new ephemeral rows of a client are bound to.
func (c *committer) owner(client *Client) (*session, error) {
	if client.closed {
		return nil, fmt.Errorf("%w: %w", meta.ErrUnavailable, errClientClosed)
	}
	if client.expired {
		client.expired = false
		return nil, meta.ErrSessionExpired
	}
	if client.session == nil {
		c.opened++
		client.session = &session{id: c.opened, rows: map[string]bool{}}
		c.sessions[c.opened] = client.session
	}
	return client.session, nil
}

// endSession removes the rows of a client's session.
func (e *edit) endSession(client *Client) error {
	s := client.session
	if s == nil {
		return nil
	}
	for _, at := range slices.Sorted(maps.Keys(s.rows)) {
		r, found, err := e.read([]byte(at))
		if err != nil {
			return err
		}
		if found && r.session == s.id {
			e.remove(0, []byte(at), r) // it has no index entries: its space does not matter
		}
	}
	client.session = nil
	delete(e.committer.sessions, s.id)
	return nil
}
