package records

import (
	"fmt"

	"google.golang.org/protobuf/proto"
)

// DecodeError says that the value of a metastore row is not the message it should be.
type DecodeError struct {
	Key, Message string
	Err          error
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("metastore row %s does not hold a %s: %v", e.Key, e.Message, e.Err)
}

func (e *DecodeError) Unwrap() error { return e.Err }

// Decode fills m, which is empty, from the value of the row at key.
func Decode(key string, value []byte, m proto.Message) error {
	if err := proto.Unmarshal(value, m); err != nil {
		return &DecodeError{key, string(m.ProtoReflect().Descriptor().Name()), err}
	}
	return nil
}

// Encode is the value of a row. Equal messages give equal bytes.
func Encode(m proto.Message) []byte {
	bytes, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err) // only invalid UTF-8 in a string field, which no caller lets in
	}
	return bytes
}
