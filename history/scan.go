package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner reads one flat JSON object. It exists because lines are many: it is ten times as fast as package json, and
// strict where that is lenient (repeated fields, the case of names).
type scanner struct {
	text []byte
	at   int
}

var errTooEarly = errors.New("the line ends too early")

// object reads the whole text as one object and calls field for the value of each.
func (s *scanner) object(field func(name []byte) error) error {
	if err := s.expect('{'); err != nil {
		return err
	}
	for first := true; !s.accept('}'); first = false {
		if !first {
			if err := s.expect(','); err != nil {
				return err
			}
		}
		name, err := s.quoted()
		if err != nil {
			return err
		}
		if err := s.expect(':'); err != nil {
			return err
		}
		if err := field(name[1 : len(name)-1]); err != nil {
			return err
		}
	}
	if s.space(); s.at < len(s.text) {
		return errors.New("more text follows after the object")
	}
	return nil
}

func (s *scanner) space() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

// accept reads the character if it is next.
func (s *scanner) accept(c byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) expect(c byte) error {
	if !s.accept(c) {
		return s.wanted(strconv.QuoteRune(rune(c)))
	}
	return nil
}

// wanted is the error that something else comes next.
func (s *scanner) wanted(what string) error {
	if s.space(); s.at == len(s.text) {
		return errTooEarly
	}
	found := s.text[s.at:]
	if len(found) > 20 {
		found = found[:20]
	}
	return fmt.Errorf("found %q at column %d, where %s was expected", found, s.at+1, what)
}

// quoted reads a string with its quotes and escapes.
func (s *scanner) quoted() ([]byte, error) {
	if !s.accept('"') {
		return nil, s.wanted("a string")
	}
	start := s.at - 1
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			s.at++
		case c == '"':
			s.at++
			return s.text[start:s.at], nil
		case c < ' ':
			return nil, s.wanted("a character of a string")
		}
	}
	return nil, errTooEarly
}

func (s *scanner) str() (string, error) {
	q, err := s.quoted()
	if err != nil {
		return "", err
	}
	if !utf8.Valid(q) {
		return "", fmt.Errorf("%q is not valid UTF-8", q)
	}
	var text string
	if err := json.Unmarshal(q, &text); err != nil {
		return "", fmt.Errorf("%s is not a string: %w", q, err)
	}
	return text, nil
}

// word reads one of the names, and gives its place among them. The first is no name.
func word[T ~uint8](s *scanner, names []string) (T, error) {
	q, err := s.quoted()
	if err != nil {
		return 0, err
	}
	for i, name := range names[1:] {
		if string(q[1:len(q)-1]) == name {
			return T(i + 1), nil
		}
	}
	return 0, fmt.Errorf("%s is none of %s", q, strings.Join(names[1:], ", "))
}

// digits reads a run of digits without a leading zero.
func (s *scanner) digits(what string) ([]byte, error) {
	s.space()
	start := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	d := s.text[start:s.at]
	if len(d) == 0 || (len(d) > 1 && d[0] == '0') {
		s.at = start
		return nil, s.wanted(what)
	}
	return d, nil
}

func number[T ~uint64](s *scanner) (T, error) {
	d, err := s.digits("a whole number from 0 on")
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(string(d), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s does not fit into 64 bits", d)
	}
	return T(n), nil
}

func (s *scanner) signed() (int64, error) {
	sign := ""
	if s.accept('-') {
		sign = "-"
	}
	d, err := s.digits("a whole number")
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(sign+string(d), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s%s does not fit into 64 bits", sign, d)
	}
	return n, nil
}

func (s *scanner) boolean() (bool, error) {
	s.space()
	for _, b := range []bool{true, false} {
		if name := strconv.FormatBool(b); strings.HasPrefix(string(s.text[s.at:min(s.at+5, len(s.text))]), name) {
			s.at += len(name)
			return b, nil
		}
	}
	return false, s.wanted("true or false")
}

func (s *scanner) hashes() ([]Hash, error) {
	if err := s.expect('['); err != nil {
		return nil, err
	}
	var all []Hash
	for first := true; !s.accept(']'); first = false {
		if !first {
			if err := s.expect(','); err != nil {
				return nil, err
			}
		}
		q, err := s.quoted()
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseUint(string(q[1:len(q)-1]), 16, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is not a hash of 1 to 16 hexadecimal digits", q)
		}
		all = append(all, Hash(n))
	}
	return all, nil
}
