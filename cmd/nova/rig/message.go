package rig

import (
	"fmt"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// message is one message of a call, as it is on the wire.
type message struct{ data []byte }

// asItIs is the codec of messages that nobody looks into.
type asItIs struct{}

var _ encoding.CodecV2 = asItIs{}

// Name is that of the codec in whose place it stands.
func (asItIs) Name() string { return "proto" }

// Marshal gives the bytes.
func (asItIs) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.(*message).data)}, nil
}

// Unmarshal takes the bytes.
func (asItIs) Unmarshal(data mem.BufferSlice, v any) error {
	v.(*message).data = data.Materialize()
	return nil
}

// readdress puts the relay's addresses into assignments, in the place of the servers'.
func (r *Relay) readdress(method string, m *message) error {
	if method != oxiav1.OxiaClient_GetShardAssignments_FullMethodName {
		return nil
	}
	all := &oxiav1.ShardAssignments{}
	if err := proto.Unmarshal(m.data, all); err != nil {
		return fmt.Errorf("rig: assignments: %w", err)
	}
	for _, ns := range all.GetNamespaces() {
		for _, shard := range ns.GetAssignments() {
			public, err := r.public(shard.GetLeader())
			if err != nil {
				return err
			}
			shard.Leader = public
		}
	}
	data, err := proto.Marshal(all)
	m.data = data
	return err
}

// public is To for an address that may be missing.
func (r *Relay) public(server string) (string, error) {
	if server == "" {
		return "", nil
	}
	return r.To(strings.TrimPrefix(server, "tls://"))
}

// readdressedError is a server's refusal with the relay's address for the leader that it may name.
func (r *Relay) readdressedError(err error) error {
	st := status.Convert(err).Proto()
	for i, detail := range st.GetDetails() {
		known, unknown := detail.UnmarshalNew()
		if unknown != nil {
			continue
		}
		var failed error
		switch d := known.(type) {
		case *errdetails.ErrorInfo:
			if leader := d.GetMetadata()["leader"]; leader != "" {
				d.Metadata["leader"], failed = r.public(leader)
			}
		case *oxiav1.LeaderHint:
			d.LeaderAddress, failed = r.public(d.GetLeaderAddress())
		}
		if failed != nil {
			return failed
		}
		if st.Details[i], failed = anypb.New(known); failed != nil {
			return failed
		}
	}
	return status.FromProto(st).Err()
}
