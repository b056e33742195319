package leadership

import (
	"context"
	"errors"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/peer"
)

// Certify covers a stream for another star's gate, without leading it: it waits for the flights with the stream, flushes,
// fences and settles the epoch if an earlier boot wrote it, and stamps the mark for the row's epoch.
func (m *Manager) Certify(ctx context.Context, req peer.CertifyRequest) (peer.CertifyReply, error) {
	what := "stream id " + req.StreamID
	id := keys.StreamID(req.StreamID)
	release, err := m.alone(ctx, id)
	if err != nil {
		return peer.CertifyReply{}, unavailable(what, err)
	}
	defer release()
	if l := m.led[id]; l != nil && !m.env.Bugs.Has(planted.LeaderCertifies) {
		if l.phase == leading && !m.stopping {
			return peer.CertifyReply{Verdict: peer.Leads}, nil
		}
		return peer.CertifyReply{Verdict: peer.Departing}, nil
	}
	w, err := readWriter(ctx, m.records(id).Fresh(), id)
	if err != nil {
		return peer.CertifyReply{}, unavailable(what, err)
	}
	if !names(w, m.env.Star, req) {
		return peer.CertifyReply{Verdict: peer.Departing}, nil // the asker judged an older row
	}
	if err := m.certify(ctx, id, w); err != nil {
		if errors.Is(err, errSuperseded) || errors.Is(err, errAgain) {
			return peer.CertifyReply{Verdict: peer.Departing}, nil
		}
		return peer.CertifyReply{}, unavailable(what, err)
	}
	m.env.Run.Note("stream certified", "id", id, "epoch", req.StreamEpoch)
	return peer.CertifyReply{Verdict: peer.Certified}, nil
}

// names says whether the writer row is still the one that the asker judged, and names this star.
func names(w writerRow, star keys.StarID, req peer.CertifyRequest) bool {
	return w.found && !w.value.GetDeleted() && w.value.GetStar() == string(star) &&
		w.value.GetStreamEpoch() == req.StreamEpoch && w.value.GetChainEpoch() == req.ChainEpoch
}

func (m *Manager) certify(ctx context.Context, id keys.StreamID, w writerRow) error {
	epochNo := keys.Epoch(w.value.GetChainEpoch())
	epoch, err := m.readEpoch(ctx, m.env.Star, epochNo)
	if err != nil {
		return err
	}
	switch active := epoch.GetState() == records.ChainState_CHAIN_STATE_ACTIVE; {
	case active && m.mine(m.env.Star, epoch):
		err = m.coverOwn(ctx, id, w.value.GetClass(), epochNo)
	case active:
		err = m.settleEarlier(ctx, id, epochNo)
	default:
		err = m.settle(ctx, id, m.env.Star, epochNo)
	}
	if err != nil {
		return err
	}
	return m.stamp(ctx, id, keys.StreamEpoch(w.value.GetStreamEpoch()), nil, func() {})
}
