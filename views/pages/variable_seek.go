package pages

import (
	"context"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// subject identifies what figures of a variable refer to.
type subject struct {
	data   *microdata.Dataset
	column *microdata.Column // nil: it is not in the file
	weight string            // the weight variable; "": none
}

// inspected is what is known of a variable so far. The first piece of work finds what needs a single pass, the
// later ones what needs the distinct values.
type inspected struct {
	subject
	Profile *profile.Profile
	content *profile.Content
	source  *profile.Profile  // of the original values; nil if they are the same
	bars    []profile.Overlay // with few bins, then with more and more
	periods []profile.Value   // of dates
	refused string            // the reason why weights are not used
	values  *profile.Values
	before  *profile.Values
	was     []int32 // index in before of each value, -1 if it is new; nil if all are the same
	outmost *extremes
	places  []uint32    // indices of the matching values in order
	placed  *valueQuery // order and search of places; nil: none yet
	cross   *profile.Cross
	crossed string // the variable of the cross table
}

// histogramSizes are the numbers of bins that are computed.
var histogramSizes = [...]int{8, 14, 22}

// extremes are the rows with the lowest and highest values.
type extremes struct{ lowest, highest []profile.Extreme }

// valueQuery is an order of values and the text searched for.
type valueQuery struct {
	order profile.Order
	text  string
}

func (f *inspected) weighted() bool { return f.weight != "" && f.refused == "" }

// Look returns what is known of the variable, nothing if the variable has changed.
func (p *Inspector) Look(s views.State) *inspected {
	of := subject{data: s.Current.Data, column: s.Current.Column(p.Variable(s))}
	if s.Scenario != nil {
		of.weight = s.Scenario.Weight
	}
	before := p.found.Last().column
	f := p.found.Look(of, func() inspected { return inspected{subject: of} })
	if f.column != before && (before == nil || f.column == nil || before.Name() != f.column.Name()) {
		p.Cursor, p.Search = draw.Cursor{}, ""
	}
	return f
}

// Seek finds the next unknown part, the fastest first.
func (p *Inspector) Seek(s views.State) views.Piece {
	f := *p.Look(s)
	if f.column == nil {
		return nil
	}
	var find func(ctx context.Context) (take func(f *inspected), err error)
	switch want := (valueQuery{p.order, p.Search}); {
	case f.Profile == nil:
		scenario := s.Scenario
		find = func(ctx context.Context) (func(*inspected), error) { return inspectFirst(ctx, f.subject, scenario) }
	case f.bars == nil && f.Profile.Numbers != nil:
		find = func(ctx context.Context) (func(*inspected), error) {
			err := f.distribute(ctx)
			return func(to *inspected) { to.bars = f.bars }, err
		}
	case f.values == nil:
		find = f.countValues
	case f.outmost == nil:
		find = f.findExtremes
	case f.placed == nil || *f.placed != want:
		find = func(context.Context) (func(*inspected), error) {
			places := f.values.Places(want.order, want.text)
			return func(f *inspected) { f.places, f.placed = places, &want }, nil
		}
	case p.part == partCross && p.other != "" && f.crossed != p.other:
		find = f.countCross(p.other)
	default:
		return nil
	}
	return p.found.Extend(f.subject,
		func(ctx context.Context, _ time.Duration) (func(*inspected), error) { return find(ctx) })
}

// inspectFirst goes through the cells of a variable and finds everything that does not need its distinct values.
func inspectFirst(ctx context.Context, of subject, scenario *microdata.Scenario) (func(*inspected), error) {
	found := inspected{subject: of}
	var weights []float64
	if of.weight != "" {
		var err error
		if weights, err = scenario.Weights(of.data); err != nil {
			found.refused = err.Error()
		}
	}
	var err error
	if found.Profile, err = profile.New(ctx, of.data, of.column, weights); err != nil {
		return nil, err
	}
	if found.content, err = found.Profile.Content(ctx); err != nil {
		return nil, err
	}
	if source := of.column.Source(); source != of.column {
		if found.source, err = profile.New(ctx, of.data, source, weights); err != nil {
			return nil, err
		}
	}
	if found.periods, err = found.Profile.Periods(ctx, found.content, 20); err != nil {
		return nil, err
	}
	return func(f *inspected) { *f = found }, nil
}

// distribute counts the numbers by round bins that include the original values.
func (f *inspected) distribute(ctx context.Context) (err error) {
	low, high := f.Profile.Numbers.Min, f.Profile.Numbers.Max
	of := profile.Versions{Now: f.column, Before: f.column}
	if f.source != nil && f.source.Numbers != nil {
		low, high, of.Before = min(low, f.source.Numbers.Min), max(high, f.source.Numbers.Max), f.source.Column
	}
	f.bars, err = of.Overlays(ctx, f.Profile.Weights, low, high, histogramSizes[:]...)
	return err
}

func (f inspected) countValues(ctx context.Context) (func(*inspected), error) {
	values, err := f.Profile.Values(ctx)
	if err != nil {
		return nil, err
	}
	var before *profile.Values
	if f.source != nil {
		if before, err = f.source.Values(ctx); err != nil {
			return nil, err
		}
	}
	was := matched(values, before)
	return func(to *inspected) { to.values, to.before, to.was = values, before, was }, nil
}

// matched returns for each value its index among others, or -1. Numbers, ascending in both, are merged; words are
// matched by label.
func matched(values, others *profile.Values) []int32 {
	if others == nil {
		return nil
	}
	places, byLabel, next := make([]int32, len(values.All)), map[string]int32{}, 0
	isNumber := func(values []profile.Value) bool { return len(values) > 0 && values[0].Number == values[0].Number }
	numbers := isNumber(values.All) && isNumber(others.All)
	for i := 0; i < len(others.All) && !numbers; i++ {
		byLabel[others.All[i].Label] = int32(i)
	}
	for i := range values.All {
		v := &values.All[i]
		for numbers && next < len(others.All) && others.All[next].Number < v.Number {
			next++
		}
		place, ok := byLabel[v.Label]
		switch {
		case ok:
			places[i] = place
		case numbers && next < len(others.All) && others.All[next].Number == v.Number:
			places[i] = int32(next)
		default:
			places[i] = -1
		}
	}
	return places
}

// original returns the original of a value with its records, or nil if there was none or nothing has changed.
func (f *inspected) original(place uint32) *profile.Value {
	if f.was == nil || f.was[place] < 0 {
		return nil
	}
	return &f.before.All[f.was[place]]
}

// mostExtremes is the number of rows listed at either end.
const mostExtremes = 12

func (f inspected) findExtremes(ctx context.Context) (func(*inspected), error) {
	lowest, highest, err := f.Profile.Extremes(ctx, f.content, mostExtremes)
	if err != nil {
		return nil, err
	}
	// list each row once
	highest = slices.DeleteFunc(highest, func(e profile.Extreme) bool { return slices.Contains(lowest, e) })
	return func(to *inspected) { to.outmost = &extremes{lowest, highest} }, nil
}

// countCross counts the cross table with another variable.
func (f inspected) countCross(other string) func(ctx context.Context) (func(*inspected), error) {
	return func(ctx context.Context) (func(*inspected), error) {
		column, ok := f.data.Column(other)
		if !ok {
			return func(to *inspected) { to.crossed, to.cross = other, nil }, nil
		}
		columns, err := profile.New(ctx, f.data, column, nil)
		if err != nil {
			return nil, err
		}
		cross, err := profile.NewCross(ctx, f.Profile, columns, 12)
		return func(to *inspected) { to.crossed, to.cross = other, cross }, err
	}
}
