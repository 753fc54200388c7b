package bundle

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/session"
)

// Revision says what two releases of one original tell who has both. Records are matched
// by where they come from, as by somebody who knows enough of them: their order and
// their identifiers may be random.
type Revision struct {
	*session.Comparison
	Random []string // variables whose values are random numbers in one of them; they are not compared
}

// Compare does the steps of two bundles again on their original and compares what was
// released. Of the options, all but the folder count. Errors: those of Verify, and a bundle whose
// steps do not give its safe file.
func Compare(ctx context.Context, folders [2]string, o VerifyOptions) (*Revision, error) {
	r := &Revision{}
	var data [2]*microdata.Dataset
	for i, folder := range folders {
		o.Folder = folder
		c, err := o.again(ctx)
		if err != nil {
			return nil, err
		}
		r.Random = append(r.Random, c.document.Replaced()...)
		data[i] = c.document.Data.Without(c.document.Scenario.Remove)
	}
	slices.Sort(r.Random)
	r.Random = slices.Compact(r.Random)
	var err error
	r.Comparison, err = session.CompareRecords(ctx, data[0].Without(r.Random), data[1].Without(r.Random))
	if err == nil {
		r.A, r.B = folders[0], folders[1]
	}
	return r, err
}

// again does the steps of a bundle again, and checks that they give its safe file.
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
			problem = []string{m.safePath() + " differs from what script and original give"}
		}
	}
	if len(problem) > 0 {
		return nil, fmt.Errorf("%s: %s; see \"sdcdesk verify\"", o.Folder, problem[0])
	}
	return c, nil
}
