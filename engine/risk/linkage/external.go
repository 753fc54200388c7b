package linkage

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// outside is the result of linking to an external file.
type outside struct {
	records, masked int // complete records of the file and of the data
	single          int // masked records with one nearest record in the file
	mutual          int // pairs that are each other's single nearest record
	known           int // masked records whose person is in the file; 0: unknown
	correct         float64
}

// headBytes is the length of the beginning of the file used to guess its format.
const headBytes = 1 << 16

// linkExternal links the masked records to the external file.
func (m *Linkage) linkExternal(ctx context.Context, in measure.Input, names []string) (*outside, error) {
	text := []byte(m.External)
	format := fileio.Guess(text[:min(len(text), headBytes)])
	format.Encoding = fileio.NewFormat().Encoding // the text is already decoded
	data, _, err := fileio.ReadBytes(ctx, "external", text, format, nil)
	if err != nil {
		return nil, method.ParamError("\"external\": %w", err)
	}
	theirs, rows, err := complete(data, names)
	if err != nil {
		return nil, err
	}
	ours, ourRows, err := complete(in.Current.Data(), names)
	if err != nil {
		return nil, err
	}
	l := linker{masked: m.scaled(ours), known: m.scaled(theirs), truth: make([]int, len(ourRows))}
	if err := m.identify(in.Current.Data(), ourRows, data, rows, l.truth); err != nil {
		return nil, err
	}
	o := &outside{records: len(rows), masked: len(ourRows)}
	if err := o.link(ctx, &l); err != nil {
		return nil, err
	}
	found, err := l.byDistance(ctx, nil)
	for _, own := range l.truth {
		if own >= 0 {
			o.known++
		}
	}
	o.correct = l.share(found)
	return o, err
}

// complete returns the values of the complete records, by variable, and their rows.
func complete(data *microdata.Dataset, names []string) ([][]float64, []uint32, error) {
	for _, name := range names {
		if column, ok := data.Column(name); !ok {
			return nil, nil, method.ParamError("\"external\": the file has no variable %q", name)
		} else if !column.Numeric() {
			return nil, nil, method.ParamError("\"external\": %q is not a numeric variable there", name)
		}
	}
	pairs, err := numeric.NewPairs(context.Background(), data, data, names)
	if err != nil {
		return nil, nil, err
	}
	return pairs.Current, pairs.Rows, nil
}

// identify sets truth to the record of the file with the same identifier for each masked record, or -1 if there is
// none or it is not unique in either file.
func (m *Linkage) identify(data *microdata.Dataset, rows []uint32, file *microdata.Dataset, theirs []uint32,
	truth []int) error {
	for i := range truth {
		truth[i] = -1
	}
	if m.ID == "" {
		return nil
	}
	column, ok := file.Column(m.ID)
	if !ok {
		return method.ParamError("\"external\": the file has no variable %q", m.ID)
	}
	places := onceEach(column, theirs)
	own, _ := data.Column(m.ID)
	for text, i := range onceEach(own, rows) {
		if k, ok := places[text]; ok && i >= 0 {
			truth[i] = k
		}
	}
	return nil
}

// onceEach returns the index in rows of each identifier, or -1 if it occurs more than once.
func onceEach(column *microdata.Column, rows []uint32) map[string]int {
	places := map[string]int{}
	for k, row := range rows {
		text := column.Text(int(row))
		if _, twice := places[text]; twice || text == "" {
			k = -1
		}
		places[text] = k
	}
	return places
}

// link finds nearest records in both directions.
func (o *outside) link(ctx context.Context, l *linker) error {
	there, back := stat.NewTree(l.known, nil), stat.NewTree(l.masked, nil)
	nearest := make([]int, len(l.truth))
	err := l.each(ctx, new(progress.Meter), func(i int, at, other []float64) {
		nearest[i] = -1
		if found := there.Nearest(at, -1); found.Ties == 1 {
			nearest[i] = found.Record
			if ours := back.Nearest(l.of(found.Record, other), -1); ours.Ties == 1 && ours.Record == i {
				nearest[i] = math.MaxInt
			}
		}
	})
	for _, k := range nearest {
		if k >= 0 {
			o.single++
		}
		if k == math.MaxInt {
			o.mutual++
		}
	}
	return err
}
