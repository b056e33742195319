// Package s3blob is an object store in a bucket of S3, or of what speaks its protocol. It implements blob.Store.
//
// An object is created by a put with If-None-Match: *, which the store must honour: at most one of any number of such puts
// succeeds. Open proves on the bucket itself that it does, and refuses it otherwise; a store that ignores the header would
// let two stars write one slot. The client is the AWS SDK, for its credential chain; none of its retries touch a write, so
// that every answer to a write is the answer to the one request that was sent:
//
//	2xx                            created; with Put, done
//	412                            exists
//	409 ConditionalRequestConflict another write of the key was under way and this one had no effect: it is sent again, a
//	                               few times, and then unavailable
//	any other 3xx or 4xx           unavailable: refused, without an effect
//	5xx, 408                       unknown: a proxy says so too when the store behind it has carried the request out
//	no answer                      unavailable where the headers of the request were never written, else unknown
//
// Reads, listings and deletes may be repeated without harm, and the SDK does it, with jittered backoff.
//
// What it does not decide: whose an object is that exists. The caller reads it.
//
// Invariants: those of package blob, and
//   - a write that is unavailable had no effect; whatever else is not known is unknown
//   - an object is absent only by S3's own word (NoSuchKey); a 404 of anything else is unavailable
//   - the caller's bytes are not read after a call returned, even where the connection goes on
//
// Design: docs/architecture.md ("Stores"). Read write.go first, then failure.go and probe.go.
package s3blob
