package meta

import "errors"

// The outcomes of a call that did not succeed. Bindings wrap them, once, with what they know.
var (
	// ErrNotFound says that no such key, or no key in the asked range, exists.
	ErrNotFound = errors.New("meta: not found")
	// ErrConflict says that the record is not at the version the write expected. Nothing was written.
	ErrConflict = errors.New("meta: version conflict")
	// ErrSessionExpired says that the session behind PutEphemeral ended; its rows are gone or going. Nothing was written.
	// The next PutEphemeral starts a new session.
	ErrSessionExpired = errors.New("meta: session expired")
	// ErrUnavailable says that the call did not reach the store or was refused by it. Nothing was written.
	ErrUnavailable = errors.New("meta: unavailable")
	// ErrUnknown says that a write may have happened, may not have, or may still happen. Resolve it by reading.
	ErrUnknown = errors.New("meta: outcome unknown")
	// ErrInvalid says that a key, range or value breaks the contract. Nothing was written.
	ErrInvalid = errors.New("meta: invalid argument")
)
