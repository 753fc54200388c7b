package cli

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// acceptFlags are the flags that accept critical findings.
type acceptFlags struct {
	names       []string
	because, by string
}

func (f *acceptFlags) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.names, "accept", nil,
		"accept a critical finding about a variable, such as direct-identifiers:email_use; needs --because and --accepted-by")
	flags.StringVar(&f.because, "because", "", "reason for accepting the critical findings")
	flags.StringVar(&f.by, "accepted-by", "", "name of the person who accepts the critical findings")
}

// acceptances returns the acceptances of the flags with today's date. An acceptance without a reason or a person
// is a usage error.
func (f *acceptFlags) acceptances() (accepted []check.Acceptance, err error) {
	for _, name := range f.names {
		one, err := check.ParseAcceptance(name)
		if err != nil {
			return nil, badUsage("--accept: %v; \"sdcdesk check --markdown\" lists the findings", err)
		}
		one.Because, one.By, one.Date = f.because, f.by, time.Now().Format(time.DateOnly)
		if err := one.Valid(); err != nil {
			return nil, badUsage("%v (--because REASON --accepted-by NAME)", err)
		}
		accepted = append(accepted, one)
	}
	if len(f.names) == 0 && (f.because != "" || f.by != "") {
		return nil, usageError{errors.New("--because and --accepted-by need --accept FINDING")}
	}
	return accepted, nil
}
