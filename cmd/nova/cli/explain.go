package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/core/star"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/datadir"
)

// explain tells on stderr what went wrong and, in its last line, what to try.
func (a *app) explain(err error) {
	text, try := a.words(err)
	a.say("%s %s", a.paint().Red("error:"), output.Printable(text))
	if try != "" {
		a.say("try: %s", output.Printable(try))
	}
}

// words are an error as told to a human, with what to try.
func (a *app) words(err error) (text, try string) {
	var usage *usageError
	var call *peer.Error
	if errors.As(err, &usage) {
		return usage.text, usage.try
	}
	if stopped := (*stoppedError)(nil); errors.As(err, &stopped) {
		return stopped.text, stopped.try
	}
	doing, cause := "", err
	for task := (*taskError)(nil); errors.As(cause, &task); cause = task.err {
		doing, try = doing+shortened(task.doing)+": ", or(task.try, try)
	}
	if doing != "" {
		doing = "could not " + doing
	}
	try = or(restoring(err), try)
	switch {
	case isTimeout(err):
		text = fmt.Sprintf("%sno answer within %v", doing, a.timeout)
		if errors.As(err, &call) && call.Reason != "" && call.Err == nil { // what the star said, not how the wait for it ended
			text += ": " + call.Reason
		}
		return text, or(try, "a longer --timeout, or nova health to see how the star at "+a.addr+" is")
	case errors.Is(err, context.Canceled):
		return doing + "interrupted", or(try, "the same command again")
	case errors.As(err, &call):
		return doing + sentence(call), or(try, call.Try, a.advice(call))
	default:
		return doing + cause.Error(), or(try, adviceOf(cause))
	}
}

// restoring is what to do about a file of a star that is damaged, or "".
func restoring(err error) string {
	var format *datadir.FormatError
	var identity *star.IdentityError
	switch {
	case errors.As(err, &identity):
		return "restore stars/*/identity/identity of the data directory from a backup, or remove that file: the star then comes back as a new one, and nothing acknowledged is lost"
	case errors.As(err, &format) && format.Damaged():
		return "restore the file nova.format in " + format.Dir + " from a backup, and no other, or --data-dir with an empty directory if a new installation is wanted"
	case errors.As(err, &format):
		return "--data-dir with the directory that was meant"
	default:
		return ""
	}
}

// adviceOf is what to try after an error of this machine.
func adviceOf(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) && path.Op == "write" {
		return "a standard output that can be written to"
	}
	return "nova help"
}

func or(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// shortened is a text of which nobody reads more to know what it is about: the key of a stream may be long.
func shortened(text string) string {
	end := 120
	if len(text) <= end {
		return text
	}
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

// sentence says what a call's error means: to what, what, why.
func sentence(e *peer.Error) string {
	what := "the fleet"
	if e.Code == peer.Invalid || e.Code == peer.TooLarge {
		what = "what was asked for"
	}
	text := shortened(or(e.What, what)) + " " + happened(e)
	if e.Reason != "" && !repeats(e) {
		text += ": " + e.Reason
	}
	return text
}

// repeats says whether the reason is what happened already says.
func repeats(e *peer.Error) bool {
	switch e.Code {
	case peer.NotFound:
		return e.Reason == "it does not exist"
	case peer.MatchFailed:
		return e.Reason == fmt.Sprintf("the tail is %d", e.Tail)
	case peer.Fenced:
		return strings.HasPrefix(e.Reason, "token 0 is older") // nobody gave one
	default:
		return false
	}
}

func happened(e *peer.Error) string {
	switch e.Code {
	case peer.Invalid:
		return "is not valid"
	case peer.TooLarge:
		return "is too large"
	case peer.NotFound:
		return "does not exist"
	case peer.AlreadyExists:
		return "exists already"
	case peer.NotOwner:
		return fmt.Sprintf("is led by star %s at %s", or(e.Holder, "?"), or(e.Addr, "?"))
	case peer.AtCapacity:
		return "was refused: no star of the fleet may take another stream to lead"
	case peer.Shed:
		return "was refused: the star is at its limit"
	case peer.Retry:
		return "is busy for a moment"
	case peer.Fenced:
		return fmt.Sprintf("has a newer producer, with token %d", e.Token)
	case peer.MatchFailed:
		return fmt.Sprintf("did not match: its tail is %d", e.Tail)
	case peer.NotAppended:
		return "changed its leader before the records were appended"
	case peer.Trimmed:
		return fmt.Sprintf("is trimmed: its first record is %d", e.First)
	case peer.Unavailable:
		return "cannot be reached"
	case peer.Indeterminate:
		return "did not say what became of the request: it may or may not have been carried out"
	default:
		return "failed inside"
	}
}

// advice is what to try where neither the star nor the command says it.
func (a *app) advice(e *peer.Error) string {
	switch e.Code {
	case peer.NotFound:
		return "nova bucket ls, or nova stream ls BUCKET, to see what there is"
	case peer.AlreadyExists:
		return "another name, or use what is there"
	case peer.Unavailable:
		return "nova serve, to start a star; or --addr HOST:PORT of one that runs (now " + a.addr + ")"
	case peer.Indeterminate:
		return "nova tail, to see what became of it, before you do it again"
	case peer.MatchFailed:
		return fmt.Sprintf("--match-seq %d, once you have read up to it", e.Tail)
	case peer.Fenced:
		return fmt.Sprintf("--token %d, if the stream is yours to take", e.Token+1)
	case peer.Trimmed:
		return fmt.Sprintf("--from %d", e.First)
	case peer.Invalid, peer.TooLarge:
		return "the command with --help, to see what it takes"
	case peer.Internal:
		return "nova health, and the log of the star"
	default:
		return "the same command again in a moment"
	}
}
