// Package peer is the contract of calls to a star, from clients and from other stars.
//
// A star implements Star; a Network reaches stars by address and answers with a Star that carries each call there. The
// caller cannot tell the two apart, except that a carried call may fail with Unavailable (it did not reach the star) or
// Indeterminate (it may have).
//
// Errors are *Error, with a Code that says what the caller may do next.
//
// Design: product.md ("API"), leadership.md. Read star.go first, then errors.go.
package peer
