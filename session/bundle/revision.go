package bundle

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/session"
)

// Revision is what two releases of one original reveal to a reader who has both. Records are matched by their
// original, as an intruder could who knows enough of them, because order and IDs may be random.
type Revision struct {
	*session.Comparison
	Random []string // variables with random IDs in one of them, which are not compared
}

// Compare replays the steps of two bundles on their original and compares the releases. Of the options, all but
// the folder are used. Errors are those of Verify, and a bundle whose steps do not give its protected file.
func Compare(ctx context.Context, folders [2]string, o VerifyOptions) (*Revision, error) {
	r := &Revision{}
	var states [2]session.State
	for i, folder := range folders {
		o.Folder = folder
		c, err := o.again(ctx)
		if err != nil {
			return nil, err
		}
		r.Random = append(r.Random, c.document.Replaced()...)
		data := c.document.Data.Without(c.document.Scenario.Remove)
		states[i] = session.State{Name: folder, Data: data, Scenario: &c.document.Scenario}
	}
	slices.Sort(r.Random)
	r.Random = slices.Compact(r.Random)
	var err error
	for i := range states {
		states[i].Data = states[i].Data.Without(r.Random)
	}
	r.Comparison, err = session.CompareReleases(ctx, states[0], states[1])
	return r, err
}

// again replays the steps of a bundle, and checks that they give its protected file.
func (o VerifyOptions) again(ctx context.Context) (*contents, error) {
	m, err := readManifest(o.Folder)
	if err != nil {
		return nil, err
	}
	if err := sameProgram(o.Folder, m, o.OtherVersion); err != nil {
		return nil, err
	}
	c := &contents{manifest: m}
	var problem []string
	c.document, _, problem, err = (&verification{options: o, manifest: m}).document(ctx)
	if err != nil {
		return nil, err
	}
	if len(problem) == 0 {
		if _, err := c.writeSafe(ctx, io.Discard, nil); err != nil {
			return nil, err
		}
		if !slices.Contains(m.Files, file{m.safePath(), c.hash}) {
			problem = []string{m.safePath() + " differs from the result of script and original"}
		}
	}
	if len(problem) > 0 {
		return nil, fmt.Errorf("%s: %s; see \"sdcdesk verify\"", o.Folder, problem[0])
	}
	return c, nil
}
