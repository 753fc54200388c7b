package noise

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

var _ method.GroupWorker = (*Noise)(nil)

// OnGroups says which noise goes by more than a number and what its record draws.
func (m *Noise) OnGroups(*microdata.Scenario) string {
	switch {
	case !m.apart():
		return "noise of the kind " + m.Method + " goes by all numbers of all records together; take additive, uniform, additive0 or " +
			"multiplicative"
	case len(m.Strata) > 0:
		return "the standard deviations of strata go by single records; leave strata out"
	case m.Households:
		return "groups do not tell which records share a household; mask each record"
	}
	return ""
}

// request says what is masked.
func (m *Noise) request() numeric.Request {
	return numeric.Request{Param: "variables", Variables: m.Variables, Strata: m.Strata, Treatment: m.Treatment,
		Leaves: m.Method == Outliers}
}

// foretold returns what can be told of the step where rows stand for several records, before these are looked at.
func (m *Noise) foretold(in method.Input) (out method.Output, err error) {
	columns, err := in.Apart("variables", m.Variables)
	if err != nil {
		return out, err
	}
	if _, err := numeric.Gather(in, m.request()); err != nil {
		return out, err
	}
	out.Data = in.Data
	for _, column := range columns {
		out.Report.Changed += column.Records() - column.MissingCount()
		masked := column.Masked(microdata.Number, &amounts{m: m, chances: m.chances(in, column.Name(), column.Draws(in.Seed)), scale: math.NaN()})
		out.Data = out.Data.With(masked.WithOrigin(microdata.Perturbed).PerturbedWith(in.Seed))
	}
	out.Report.Title, out.Report.Effect = m.title(), "every record draws by itself"
	switch m.Method {
	case Additive:
		out.Report.Effect += fmt.Sprintf(", %.3g standard deviations to be expected", m.Percent/100*math.Sqrt(2/math.Pi))
	case Uniform:
		out.Report.Effect += fmt.Sprintf(", %.3g standard deviations to be expected", m.Percent/100*math.Sqrt(3)/2)
	}
	out.Report.Warnings = []string{"this is before records were looked at: how many numbers change, and by how much, the step itself counts; " +
		"pictures are of records that draw otherwise"}
	return out, nil
}

// Tried draws for some records of a variable by itself, see method.ByRecord.
func (m *Noise) Tried(ctx context.Context, in method.Input, variable string) (method.Tried, error) {
	column, err := in.Named("variables", variable)
	if err != nil {
		return method.Tried{}, err
	}
	if column.ManyValued() {
		return method.Tried{}, fmt.Errorf("the step %w: the values of %q are not held", method.ErrInput, variable)
	}
	one := *m
	one.Variables, in.Data = []string{variable}, column.Sampled(method.SampleSize)
	out, err := one.apply(ctx, in, nil)
	return method.Tried{Before: in.Data, After: out.Data}, err
}

// chances are what the records draw for a variable whose values were drawn so often with the seed before.
func (m *Noise) chances(in method.Input, variable string, times int) draws.Chances {
	return draws.Chances{Variable: variable, Seed: in.Seed, Draws: random.Again(in.Seed, times), Purpose: purpose + variable}
}

// look gathers the numbers of records, and what they draw by their keys.
type look struct {
	m        *Noise
	in       method.Input
	gathered *numeric.Gathered
	chances  []draws.Chances // by variable
	drawn    [][]uint64      // by variable; nil: records draw by their places
}

// Look returns what looks at the records of groups, see method.ByRecord.
func (m *Noise) Look(in method.Input) (method.Look, error) {
	gathered, err := numeric.Gather(in, m.request())
	if err != nil {
		return nil, err
	}
	l, times := &look{m: m, in: in, gathered: gathered}, 0
	for _, name := range m.Variables {
		column, _ := in.Data.Column(name)
		times = max(times, column.Draws(in.Seed))
	}
	for _, name := range m.Variables {
		l.chances = append(l.chances, m.chances(in, name, times))
	}
	return l, nil
}

// Secrets tell what records draw by their keys.
func (l *look) Secrets() []string {
	secrets := make([]string, len(l.chances))
	for j := range secrets {
		secrets[j] = l.chances[j].Secret()
	}
	return secrets
}

// Add looks at some records.
func (l *look) Add(data *microdata.Dataset, drawn [][]uint64) (inOrder func()) {
	add := l.gathered.Add(data)
	return func() {
		add()
		if l.drawn == nil {
			l.drawn = make([][]uint64, len(drawn))
		}
		for j := range drawn {
			l.drawn[j] = append(l.drawn[j], drawn[j]...)
		}
	}
}

// Output returns the data after the step, see method.Look.
func (l *look) Output(ctx context.Context) (out method.Output, err error) {
	table, err := l.gathered.Table(ctx)
	if err != nil {
		return out, err
	}
	if table.Partial > 0 {
		return out, fmt.Errorf("%w: records that lack some of the values are masked by themselves only where records are held; leave "+
			"them as they are, or mask one variable after the other", method.ErrInput)
	}
	if err := l.m.enough(table.Strata[0]); err != nil {
		return out, err
	}
	all := make([]*amounts, len(table.Columns))
	for j := range all {
		if _, exponent := numeric.Raised(table.Values[j]); exponent != 0 {
			return out, fmt.Errorf("%w: values of %q lie too near to each other to be squared", method.ErrInput, table.Columns[j].Name())
		}
		all[j] = &amounts{m: l.m, chances: l.chances[j], scale: l.m.scale(table.Values[j])}
	}
	all[0].leave(table.Rows, l.gathered.Records)
	for _, a := range all {
		a.left, a.complete = all[0].left, all[0].complete
	}
	masked, warnings, err := l.masked(ctx, table, all)
	if err != nil {
		return out, err
	}
	changed, whole := table.Changed(masked)
	out.Data = l.in.Data
	for j, column := range table.Columns {
		if changed[j].Count > 0 {
			all[j].changed = changed[j].Count
			all[j].masking = table.Masking(j, whole[j])
			column = column.Masked(all[j].masking.Kind, all[j]).WithOrigin(microdata.Perturbed).PerturbedWith(l.in.Seed)
		}
		out.Data = out.Data.With(column)
	}
	out.Report = table.Report(l.in, l.m.title(), masked, changed)
	return out, l.m.complete(ctx, &out.Report, table, masked, warnings)
}

// masked returns the values of all complete records with noise.
func (l *look) masked(ctx context.Context, table *numeric.Table, all []*amounts) (masked [][]float64, warnings []string, err error) {
	if len(l.drawn) == 0 {
		return l.m.add(ctx, table, all[0].chances.Draws, nil)
	}
	z := make([][]float64, len(all))
	for j, a := range all {
		next := a.byKey(l.drawn[j])
		z[j] = make([]float64, len(table.Rows))
		for i, record := range table.Rows {
			z[j][i] = next(record)
		}
	}
	return l.m.addDrawn(ctx, table, z, nil)
}

// amounts are what noise makes of one variable, record by record.
type amounts struct {
	m        *Noise
	chances  draws.Chances
	scale    float64
	masking  numeric.Masking
	changed  int             // records
	left     *microdata.Bits // records that keep their number; nil: none
	complete []int           // before each block of records: how many draw
}

var _ microdata.Masking = (*amounts)(nil)

// leave notes which of so many records draw.
func (a *amounts) leave(rows []uint32, records int) {
	if len(rows) == records {
		return
	}
	a.left, a.complete = microdata.NewBits(records), make([]int, random.Blocks(records)+1)
	next := 0
	for record := range records {
		if record%random.Block == 0 {
			a.complete[record/random.Block] = next
		}
		if next < len(rows) && int(rows[next]) == record {
			next++
		} else {
			a.left.Set(record)
		}
	}
}

// Changed returns how many records have another number.
func (a *amounts) Changed() int { return a.changed }

// Secret tells the numbers that records draw, together with their keys.
func (a *amounts) Secret() string { return a.chances.Secret() }

// Identity is the same for equal noise on equal records.
func (a *amounts) Identity() string {
	return fmt.Sprintf("%s\n%s\n%x %s", a.chances.Secret(), a.m.amount(), a.scale, a.m.Treatment)
}

// Records returns records with noise, see microdata.Masking.
func (a *amounts) Records(column *microdata.Column, before int, drawn []uint64) (*microdata.Column, error) {
	var rows []uint32
	values := column.Floats()
	for row, x := range values {
		if x == x && !a.left.Has(before+row) {
			rows = append(rows, uint32(row))
		}
	}
	next := a.byKey(drawn)
	if drawn == nil {
		next = a.byPlace(before)
	}
	at := 0
	return a.masking.Column(column, rows, func(x float64) float64 {
		at++
		return a.m.shifted(x, a.scale, next(rows[at-1]))
	})
}

// byKey returns what records draw by the numbers of their keys.
func (a *amounts) byKey(drawn []uint64) func(row uint32) float64 {
	source := &rand.PCG{}
	stream := rand.New(source)
	return func(row uint32) float64 {
		source.Seed(drawn[row], 0)
		return a.m.draw(stream)
	}
}

// byPlace returns what the records behind some others draw, those that draw one after the other.
func (a *amounts) byPlace(before int) func(uint32) float64 {
	place := before
	if a.left != nil {
		place = a.complete[before/random.Block]
		for record := before / random.Block * random.Block; record < before; record++ {
			if !a.left.Has(record) {
				place++
			}
		}
	}
	stream := random.Stream(a.chances.Draws, a.chances.Purpose, place/random.Block)
	for range place % random.Block {
		a.m.draw(stream)
	}
	return func(uint32) float64 {
		if place%random.Block == 0 {
			stream = random.Stream(a.chances.Draws, a.chances.Purpose, place/random.Block)
		}
		place++
		return a.m.draw(stream)
	}
}
