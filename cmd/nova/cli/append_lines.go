package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/novastream/nova/io/peer"
)

// How lines become batches. A line goes at once when nothing else is there; lines that come faster go together.
const (
	batchRecords = 1000
	batchBytes   = 256 << 10
	maxLine      = 1 << 20 // what a star takes as one record, without its flags
)

// line is one line of the source, or why there are no more.
type line struct {
	body []byte
	err  error // io.EOF at the end
}

// given are records that are there already.
func given(records []string) <-chan line {
	lines := make(chan line, len(records)+1)
	for _, r := range records {
		lines <- line{body: []byte(r)}
	}
	lines <- line{err: io.EOF}
	return lines
}

// readLines reads ahead of the sender. The goroutine may outlive the command in a read that nothing can end.
func readLines(ctx context.Context, source io.Reader) <-chan line {
	lines := make(chan line, 4*batchRecords)
	go func() {
		reader := bufio.NewReaderSize(source, 64<<10)
		for {
			body, err := readLine(reader)
			select {
			case lines <- line{body, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// readLine reads a line without its newline; the last one may lack it. io.EOF where none is left.
func readLine(reader *bufio.Reader) ([]byte, error) {
	var body []byte
	for {
		part, err := reader.ReadSlice('\n')
		body = append(body, part...)
		switch {
		case len(body) > maxLine+1:
			return nil, fmt.Errorf("it is longer than %d bytes", maxLine)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(body) > 0:
			return body, nil
		case err != nil:
			return nil, err
		}
		return body[:len(body)-1], nil
	}
}

// gather waits for a line and takes what else is there. The error comes with the lines before it.
func gather(stop, calls context.Context, lines <-chan line) (batch peer.Batch, size uint64, err error) {
	for len(batch.Records) < batchRecords && size < batchBytes {
		var next line
		if len(batch.Records) == 0 {
			select {
			case next = <-lines:
			case <-stop.Done():
				return batch, size, stop.Err()
			case <-calls.Done():
				return batch, size, calls.Err()
			}
		} else {
			select {
			case next = <-lines:
			default:
				return batch, size, nil
			}
		}
		if next.err != nil {
			return batch, size, next.err
		}
		batch.Records = append(batch.Records, peer.Record{Body: next.body})
		size += uint64(len(next.body))
	}
	return batch, size, nil
}
