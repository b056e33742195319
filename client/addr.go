package client

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
)

// AddrError says that an address of a star is none.
type AddrError struct {
	Addr   string
	Reason string
}

func (e *AddrError) Error() string {
	return fmt.Sprintf("client: the address %q of a star is not HOST:PORT: %s; give one like nova-1:7780", e.Addr, e.Reason)
}

// checkAddr refuses what cannot be the address of a star.
func checkAddr(addr string) error {
	if addr == "" {
		return &AddrError{addr, "it is empty"}
	}
	host, port, err := net.SplitHostPort(addr)
	if bad := (*net.AddrError)(nil); errors.As(err, &bad) {
		return &AddrError{addr, bad.Err}
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return &AddrError{addr, fmt.Sprintf("%q is no port", port)}
	} else if n == 0 {
		return &AddrError{addr, "port 0 is none to dial"}
	}
	if _, err := netip.ParseAddr(host); err != nil && strings.ContainsFunc(host, notInHost) {
		return &AddrError{addr, fmt.Sprintf("%q is no host", host)}
	}
	return nil
}

// notInHost says whether the name of a host cannot have a character.
func notInHost(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
}
