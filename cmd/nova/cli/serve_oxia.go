package cli

import (
	"net"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/novastream/nova/realio/oxiameta"
)

// oxiaFlags are the flags that say where the metastore on Oxia is and how to speak to it.
type oxiaFlags struct {
	addrs, naming []string
	cfg           oxiameta.Config // the namespaces, and the write window
	maxBatchKiB   int
	tls           bool
	ca, cert, key string
	tokenFile     string
}

func (o *oxiaFlags) flags(f *pflag.FlagSet) {
	f.StringSliceVar(&o.addrs, "oxia", nil, "HOST:PORT of a data server of Oxia, or several; its records are hierarchical (default: a metastore in the data directory)")
	f.StringSliceVar(&o.naming, "oxia-naming", nil, "HOST:PORT of the Oxia that holds the namespace of naming (default: that of --oxia)")
	f.StringVar(&o.cfg.Records, "oxia-records-namespace", oxiameta.DefaultNamespace, "namespace of the records of streams and chains, in hierarchical order")
	f.StringVar(&o.cfg.Work, "oxia-work-namespace", oxiameta.DefaultNamespace, "namespace of the queues of background work, in hierarchical order")
	f.StringVar(&o.cfg.Ephemeral, "oxia-ephemeral-namespace", oxiameta.DefaultNamespace, "namespace of what goes with a star's session, in hierarchical order")
	f.StringVar(&o.cfg.Naming, "oxia-naming-namespace", oxiameta.DefaultNamespace, "namespace of the names of streams and buckets, in natural order")
	f.IntVar(&o.cfg.WriteWindow, "oxia-write-window", oxiameta.DefaultWriteWindow, "batches of writes that may be under way for each shard")
	f.IntVar(&o.maxBatchKiB, "oxia-max-batch-kib", oxiameta.DefaultMaxBatchBytes>>10, "KiB of one batch of writes")
	f.BoolVar(&o.tls, "oxia-tls", false, "speak TLS to Oxia; implied by the other flags of TLS")
	f.StringVar(&o.ca, "oxia-ca-file", "", "PEM file of the authorities to trust for Oxia (default: the system's)")
	f.StringVar(&o.cert, "oxia-cert-file", "", "PEM file of the certificate to show to Oxia")
	f.StringVar(&o.key, "oxia-key-file", "", "PEM file of that certificate's key")
	f.StringVar(&o.tokenFile, "oxia-token-file", "", "file of the bearer token to show to Oxia; it may change at any time")
}

// check refuses flags that no client of Oxia can be made of.
func (o *oxiaFlags) check(sessionTimeout time.Duration) error {
	if len(o.addrs) == 0 {
		if len(o.naming) > 0 {
			return usagef("--oxia HOST:PORT", "--oxia-naming without --oxia")
		}
		return nil
	}
	for flag, addrs := range map[string][]string{"--oxia": o.addrs, "--oxia-naming": o.naming} {
		for _, addr := range addrs {
			if host, _, err := net.SplitHostPort(strings.TrimPrefix(addr, "tls://")); err != nil || host == "" {
				return usagef(flag+" HOST:PORT, as oxia.example:6648", "%s %q is not HOST:PORT", flag, addr)
			}
		}
	}
	switch {
	case sessionTimeout < oxiameta.MinSessionTimeout || sessionTimeout > oxiameta.MaxSessionTimeout:
		return usagef("--oxia-session-timeout 15s", "--oxia-session-timeout %v: Oxia takes %v to %v",
			sessionTimeout, oxiameta.MinSessionTimeout, oxiameta.MaxSessionTimeout)
	case o.cfg.WriteWindow < 1 || o.cfg.WriteWindow > oxiameta.MaxWriteWindow:
		return usagef("--oxia-write-window 4", "--oxia-write-window may be 1 to %d", oxiameta.MaxWriteWindow)
	case o.maxBatchKiB < 1 || o.maxBatchKiB > oxiameta.LargestBatchBytes>>10:
		return usagef("--oxia-max-batch-kib 128", "--oxia-max-batch-kib may be 1 to %d", oxiameta.LargestBatchBytes>>10)
	case (o.cert == "") != (o.key == ""):
		return usagef("both, or none of them", "--oxia-cert-file and --oxia-key-file belong together")
	case len(o.naming) == 0 && o.shared():
		return usagef("--oxia-naming HOST:PORT of a service with natural order, or --oxia-naming-namespace NAME of a namespace with it",
			"naming needs a namespace in natural order, and namespace %q of %s is to hold hierarchical records too",
			o.cfg.Naming, strings.Join(o.addrs, ","))
	default:
		return nil
	}
}

// shared says whether naming has the name of a namespace of the others.
func (o *oxiaFlags) shared() bool {
	return o.cfg.Naming == o.cfg.Records || o.cfg.Naming == o.cfg.Work || o.cfg.Naming == o.cfg.Ephemeral
}

// config is what the flags say; nil where the metastore is embedded.
func (o *oxiaFlags) config() (*oxiameta.Config, error) {
	if len(o.addrs) == 0 {
		return nil, nil
	}
	naming := o.naming
	if len(naming) == 0 {
		naming = o.addrs
	}
	cfg := o.cfg
	cfg.MaxBatchBytes = o.maxBatchKiB << 10
	secured, err := o.tlsConfig()
	if err != nil {
		return nil, err
	}
	token, err := o.token()
	if err != nil {
		return nil, err
	}
	cfg.Hierarchical = oxiameta.Service{Addresses: o.addrs, TLS: secured, Token: token}
	cfg.Natural = oxiameta.Service{Addresses: naming, TLS: secured, Token: token}
	if err := cfg.Validate(); err != nil {
		return nil, usagef("nova serve --help, to see what it takes", "%v", err)
	}
	return &cfg, nil
}

// oxiaTry is what to do about an Oxia that cannot be used, in the words of the command line.
func oxiaTry(r oxiameta.Reason) string {
	switch r {
	case oxiameta.Denied:
		return "--oxia-token-file with a token that the servers take"
	case oxiameta.BadTLS:
		return "a certificate that is valid for this address, --oxia-ca-file with its authority, and --oxia-tls only where Oxia speaks TLS"
	case oxiameta.NoNamespace:
		return "--oxia-records-namespace and its like with namespaces that exist, or create this one in the configuration of Oxia's coordinator"
	case oxiameta.WrongOrder:
		return "--oxia with the service of hierarchical order, --oxia-naming or --oxia-naming-namespace with that of natural order"
	default:
		return r.Try()
	}
}
