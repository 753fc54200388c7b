package streamed

import (
	"context"
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Release is what the steps of a session come to, for a file that is read in passes: a dictionary
// for every variable that they changed, and what they take from which records in their order.
type Release struct {
	Path   string
	Format fileio.Format
	By     []string                     // variables that groups go by
	Known  map[string]*fileio.Described // all variables
	Base   *microdata.Dataset           // by group, as it was read
	Data   *microdata.Dataset           // after the steps
	Deals  []*Deal                      // of the steps

	// Read reads records that come from elsewhere, in a pass whose groups are to be the rows where they stand after the
	// steps; nil: they are those of the file.
	Read func(ctx context.Context, pass *fileio.Pass, meter *progress.Meter) error
	Done bool // Read gives what the steps made of them
	// Keys names the variable with the keys by which these records draw numbers; "": they draw by their places
	Keys string
}

// Write writes the protected file in a format, in one pass, or in two where all records decide how values
// are stored. Errors are those of fileio.ReadPass, fileio.NewRewriting and fileio.WriteTo, and ErrChanged.
func (r *Release) Write(ctx context.Context, w io.Writer, to fileio.Format, o fileio.WriteOptions,
	meter *progress.Meter) (*fileio.WriteReport, error) {
	changes := r.changes()
	rewriting, err := fileio.NewRewriting(ctx, to, r.whole(), o)
	if err != nil {
		return nil, err
	}
	if rewriting.Looks() {
		err = r.pass(ctx, changes, meter, func(ctx context.Context, data *microdata.Dataset, _ *fileio.Piece) (func() error, error) {
			return rewriting.Look(ctx, data)
		})
		if err != nil {
			return nil, err
		}
	}
	err = r.pass(ctx, changes, meter, func(ctx context.Context, data *microdata.Dataset, p *fileio.Piece) (func() error, error) {
		return rewriting.Piece(ctx, w, data, p.First)
	})
	if err == nil {
		err = rewriting.End(ctx, w)
	}
	if err != nil {
		return nil, err
	}
	return &rewriting.Report, nil
}

// whole returns what is known of all records: the variables that groups go by, those that steps made, and those of
// which steps changed the values by themselves.
func (r *Release) whole() *fileio.Whole {
	whole := &fileio.Whole{Records: r.Data.Records(), Data: r.Data, Alone: Alone(r.Data)}
	for _, column := range r.Data.Columns() {
		if !column.Uncounted() && !column.Sums() {
			whole.Variables = append(whole.Variables, column.Name())
		}
	}
	return whole
}

// Alone returns the variables that steps changed by themselves, each with a row for a value.
func Alone(data *microdata.Dataset) (alone []*microdata.Dataset) {
	for _, column := range data.Columns() {
		if _, masked := column.Unmasked(); masked != nil || !column.Uncounted() || column.Source() == column {
			continue
		}
		values := column.Alone()
		one, _ := microdata.NewGrouped([]*microdata.Column{values}, values.Multiplicity()) // they were counted
		alone = append(alone, one.WithSpellings(map[string]*microdata.Spelling{column.Name(): data.Spelling(column.Name())}))
	}
	return alone
}

// pass reads the records once, and calls beside for those of every piece that there are after the steps, whose groups are
// the rows where they stand then, and First how many of them are before.
func (r *Release) pass(ctx context.Context, changes []change, meter *progress.Meter,
	beside func(ctx context.Context, data *microdata.Dataset, p *fileio.Piece) (func() error, error)) error {
	counted, before, read := make([]int, r.Data.Len()), 0, r.Read
	if read == nil {
		read = r.readFile
	}
	err := read(ctx, &fileio.Pass{Known: r.Known,
		InOrder: func(p *fileio.Piece) error {
			p.First = before
			for _, row := range p.Groups {
				if row == Left {
					continue
				}
				if int(row) >= len(counted) {
					return ErrChanged
				}
				counted[row]++
				before++
			}
			return nil
		},
		Beside: func(ctx context.Context, p *fileio.Piece) (func() error, error) {
			data, err := p.Data(ctx)
			if err != nil {
				return nil, err
			}
			if data, p.Groups = kept(data, p.Groups); len(p.Groups) == 0 {
				return nil, nil
			}
			if data, err = r.changed(data, changes, p.Groups, p.First); err != nil {
				return nil, err
			}
			return beside(ctx, data, p)
		}}, meter)
	if err == nil && !slices.Equal(counted, r.Data.Multiplicity()) {
		err = ErrChanged
	}
	return err
}

// readFile reads the records of the file: their order tells where they stand after the steps.
func (r *Release) readFile(ctx context.Context, pass *fileio.Pass, meter *progress.Meter) error {
	trail, inOrder := NewTrail(r.Deals), pass.InOrder
	pass.By, pass.InOrder = r.By, func(p *fileio.Piece) (err error) {
		for i, group := range p.Groups {
			if p.Groups[i], err = trail.Row(group); err != nil {
				return err
			}
		}
		return inOrder(p)
	}
	passed, err := fileio.ReadPass(ctx, r.Path, r.Format, pass, meter)
	if err == nil {
		err = Unchanged(passed, r.Base)
	}
	return err
}

// Unchanged returns ErrChanged where a pass met other groups than those that were counted.
func Unchanged(passed *fileio.Passed, counted *microdata.Dataset) error {
	if passed.Records != counted.Records() {
		return ErrChanged
	}
	if passed.Groups == nil {
		return nil
	}
	for _, column := range passed.Groups.Columns() {
		if was, ok := counted.Column(column.Name()); !ok || was.Hash() != column.Hash() {
			return ErrChanged
		}
	}
	return nil
}

// change is what becomes of the cells of a variable.
type change struct {
	column   *microdata.Column // after the steps
	spelling *microdata.Spelling
	made     bool // by a step: the file has no such variable
	blanked  bool // cells were suppressed and nothing else
	// uncounted has the values by themselves, which column has, too; nil: rows of groups have them
	uncounted *microdata.Column
	same      bool                // the values are those of the file
	masked    []microdata.Masking // what then becomes of the numbers of every record, in turn
}

// changes returns what the steps changed, in the order of the variables.
func (r *Release) changes() (changes []change) {
	if r.Done {
		return nil
	}
	for _, column := range r.Data.Columns() {
		counted := slices.Contains(r.By, column.Name())
		c := change{spelling: r.Data.Spelling(column.Name())}
		c.column, c.masked = column.Unmasked()
		c.same = c.column.Source() == c.column
		switch {
		case c.column.Uncounted():
			c.column, c.uncounted = c.column.Alone(), c.column
		case c.column.Sums(): // see Weighed
			continue
		case counted:
			c.blanked = c.column.OnlySuppressed() && c.column.Description() == c.column.Source().Description()
		default:
			c.same, c.made = false, true
		}
		if !c.same || c.masked != nil {
			changes = append(changes, c)
		}
	}
	return changes
}

// changed returns the records of a piece after the steps, by the rows where they stand; so many records stand before
// it.
func (r *Release) changed(data *microdata.Dataset, changes []change, rows []uint32, before int) (*microdata.Dataset, error) {
	spellings := map[string]*microdata.Spelling{}
	for _, column := range data.Columns() {
		spellings[column.Name()] = data.Spelling(column.Name())
	}
	for i := range changes {
		c := &changes[i]
		if name := c.column.Name(); !c.blanked && !c.made {
			spellings[name] = quotedAs(spellings[name], c.spelling)
		}
		of, known := c.rows(data, rows)
		if !known {
			return nil, ErrChanged
		}
		var err error
		if data, err = c.make(data, of); err != nil {
			return nil, err
		}
		for _, masking := range c.masked {
			column, _ := data.Column(c.column.Name())
			if column, err = masking.Records(column, before, r.drawn(data, masking.Secret())); err != nil {
				return nil, err
			}
			data = data.With(column)
		}
	}
	data, err := Weighed(r.Deals, data)
	if err != nil {
		return nil, err
	}
	return data.WithSpellings(spellings), nil
}

// drawn returns the numbers that records draw by their keys; nil: they draw by their places.
func (r *Release) drawn(data *microdata.Dataset, secret string) []uint64 {
	keys, there := data.Column(r.Keys)
	if !there {
		return nil
	}
	numbers := make([]uint64, keys.Len())
	for record := range numbers {
		numbers[record] = draws.ByKey(secret, keys.Text(record))
	}
	return numbers
}

// rows returns the rows of the variable that records have, by those where they stand; known is false where some have a
// value that no record had, whose row is Left.
func (c *change) rows(data *microdata.Dataset, rows []uint32) (of []uint32, known bool) {
	if c.uncounted == nil || c.same {
		return rows, true
	}
	column, _ := data.Column(c.column.Name())
	return c.uncounted.RowsAlone(column)
}

// make returns records with what becomes of the variable for all that stand in a row, by its rows; of Left the cell is
// missing.
func (c *change) make(data *microdata.Dataset, rows []uint32) (*microdata.Dataset, error) {
	if c.same {
		return data, nil
	}
	column, _ := data.Column(c.column.Name())
	blank := microdata.NewBits(len(rows))
	for i, row := range rows {
		if row == Left || c.column.Suppressed().Has(int(row)) {
			blank.Set(i)
		}
	}
	if c.blanked {
		return data.With(column.Suppress(blank)), nil
	}
	made := c.categories(rows, blank)
	if c.made {
		return data.Append(microdata.NewCategorical(c.column.Name(), c.column.Kind(), made).
			WithDescription(c.column.Description()).Suppress(blank))
	}
	return data.With(column.WithCategories(c.column.Kind(), made).WithDescription(c.column.Description()).Suppress(blank)), nil
}

// categories returns what records have whose rows these are; those that are to be suppressed have any
// category.
func (c *change) categories(rows []uint32, blank *microdata.Bits) *microdata.Categories {
	of := c.column.Categories()
	codes := microdata.NewCodes(len(rows), len(of.Levels))
	for i, row := range rows {
		if row != Left {
			codes.Set(i, of.Codes.At(int(row)))
		}
	}
	if len(of.Levels) > 0 {
		blank.Each(func(record int) { codes.Set(record, 1) })
	}
	return &microdata.Categories{Levels: of.Levels, Codes: codes, Ordered: of.Ordered}
}

// quotedAs returns the spelling of the cells of a piece where new categories are quoted as they
// are in the whole file.
func quotedAs(piece, whole *microdata.Spelling) *microdata.Spelling {
	out := *piece
	out.Quoted, out.QuotedLabels, out.QuotedCells = whole.Quoted, whole.QuotedLabels, nil
	return &out
}
