package rig

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// highest is above every character of a key.
const highest = "\U0010ffff"

// Wipe deletes every record of a namespace of a real Oxia, so that a fleet finds it as new. natural is its key order.
func Wipe(ctx context.Context, server, namespace string, natural bool) error {
	assigned, err := assignments(ctx, server, namespace)
	if err != nil {
		return fmt.Errorf("rig: wipe namespace %q at %s: %w", namespace, server, err)
	}
	end := highest
	if !natural {
		end = strings.Repeat(highest+"/", 8) + highest // deeper than any key
	}
	for _, shard := range assigned {
		err := with(shard.GetLeader(), func(rpc oxiav1.OxiaClientClient) error {
			span := &oxiav1.DeleteRangeRequest{StartInclusive: "\x01", EndExclusive: end}
			_, err := rpc.Write(ctx, &oxiav1.WriteRequest{
				Shard: proto.Int64(shard.GetShard()), DeleteRanges: []*oxiav1.DeleteRangeRequest{span},
			})
			return err
		})
		if err != nil {
			return fmt.Errorf("rig: wipe shard %d of namespace %q: %w", shard.GetShard(), namespace, err)
		}
	}
	return nil
}

// assignments are a namespace's shards with their leaders, once all have one.
func assignments(ctx context.Context, server, namespace string) (all []*oxiav1.ShardAssignment, err error) {
	err = with(server, func(rpc oxiav1.OxiaClientClient) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stream, err := rpc.GetShardAssignments(ctx, &oxiav1.ShardAssignmentsRequest{Namespace: namespace})
		if err != nil {
			return err
		}
		for led := false; !led; {
			snapshot, err := stream.Recv()
			if err != nil {
				return err
			}
			all, led = snapshot.GetNamespaces()[namespace].GetAssignments(), true
			for _, shard := range all {
				led = led && shard.GetLeader() != ""
			}
		}
		return nil
	})
	return all, err
}

// with calls a server over a connection of its own.
func with(server string, call func(oxiav1.OxiaClientClient) error) error {
	conn, err := grpc.NewClient("passthrough:///"+server, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy())
	if err != nil {
		return err
	}
	return errors.Join(call(oxiav1.NewOxiaClientClient(conn)), conn.Close())
}
