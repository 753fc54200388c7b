package streamed

import (
	"cmp"
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// together is what members of households lose where they lose cells together: households of a kind, whose members have
// the same keys, have their turn. Of a sample it tells which households are kept: it has no kinds.
type together struct {
	variable string           // that tells who they are
	kinds    map[string]*kind // that lose something, by the keys of their members
	sets     []uint64         // that records lose, 0 among them; of a sample draws.Dropped and draws.Kept
	ofKey    [][]uint32       // by key: the places of the sets that its records lose
	numbers  []int64          // by key: numbers of the members of a household that loses cells add up to that of its kind alone
	numeric  bool             // the variable is compared as a number
	losses   []loss           // of the records of a file, in their order; see Release.Find
}

// kind is households whose members have the same keys, and what the first of them lose in their order; the others lose
// nothing.
type kind struct {
	members []uint32 // their keys, which ascend
	runs    []sharedRun
}

// sharedRun is so many households after each other whose members lose the same: the places of their sets among those of
// a deal. Of members with one key, the first in their order have the first.
type sharedRun struct {
	sets       []uint32
	households int
}

// loss is what a record of a file loses, by its place among the sets.
type loss struct{ record, set uint32 }

// dealTogether completes a deal by what the households of rows after the step have lost; nil where records of a key
// lose the same.
func (d *Deal) dealTogether(table *keys.Table, after *microdata.Dataset, parents []uint32, sets []uint64, household string) (
	*Deal, error) {
	column, _ := after.Column(household)
	households := microdata.NewHouseholds(column)
	if households == nil {
		return nil, ErrChanged
	}
	d.together = &together{variable: household, kinds: map[string]*kind{}, sets: []uint64{0}, numeric: column.Numeric()}
	places, keyBits := map[uint64]uint32{0: 0}, d.bitsOf(d.scenario.Keys)
	lost := make([]map[uint32]int, table.Keys()) // by key and set: records
	var rows, members []uint32
	var packed []byte
	for h := range households.Len() {
		rows = rows[:0]
		some := uint64(0)
		for i := range households.Members(h) {
			row := uint32(households.Member(h, i))
			rows, some = append(rows, row), some|sets[row]
		}
		if some == 0 {
			continue
		}
		slices.SortFunc(rows, func(a, b uint32) int { return cmp.Compare(d.keys[parents[a]], d.keys[parents[b]]) })
		members, packed = members[:0], packed[:0]
		for _, row := range rows {
			members = append(members, d.keys[parents[row]])
		}
		packed = pack(packed, members)
		of := d.together.kinds[string(packed)]
		if of == nil {
			of = &kind{members: slices.Clone(members)}
			d.together.kinds[string(packed)] = of
		}
		run := sharedRun{sets: make([]uint32, len(rows)), households: households.Times(h)}
		for i, set := range d.lostBy(rows, members, sets, keyBits) {
			at, known := places[set]
			if !known {
				at = uint32(len(d.together.sets))
				places[set], d.together.sets = at, append(d.together.sets, set)
			}
			run.sets[i] = at
			if lost[members[i]] == nil {
				lost[members[i]] = map[uint32]int{}
			}
			lost[members[i]][at] += run.households
		}
		of.runs = append(of.runs, run)
	}
	for _, kind := range d.together.kinds {
		kind.sort(d.together.sets, keyBits)
	}
	if err := d.together.tellApart(households, table.Keys(), func(row int) uint32 { return d.keys[parents[row]] }); err != nil {
		return nil, err
	}
	return d.dealtByKey(lost, table.Counts(), sets, parents), nil
}

// bitsOf returns the bits of some variables, those that lose cells.
func (d *Deal) bitsOf(names []string) (bits uint64) {
	for v, name := range d.columns {
		if slices.Contains(names, name) {
			bits |= 1 << v
		}
	}
	return bits
}

// lostBy returns what the members of a household lose, those first of a key that lose more; of variables that are the
// same for households all lose what one does.
func (d *Deal) lostBy(rows, members []uint32, sets []uint64, keyBits uint64) []uint64 {
	own, all, same := make([]uint64, len(rows)), uint64(0), d.bitsOf(d.scenario.SameForHousehold)&^keyBits
	for i, row := range rows {
		own[i] = sets[row] & keyBits
		all |= sets[row]
	}
	microdata.MostFirst(members, own)
	for i := range own {
		own[i] |= d.linked(own[i]) | all&same
	}
	return own
}

// sort puts the households of a kind into the order in which they have their turn: those that lose more come first.
func (k *kind) sort(sets []uint64, keyBits uint64) {
	slices.SortFunc(k.runs, func(a, b sharedRun) int {
		return slices.CompareFunc(b.sets, a.sets, func(x, y uint32) int { return cmp.Compare(sets[x]&keyBits, sets[y]&keyBits) })
	})
	merged := k.runs[:0]
	for _, run := range k.runs {
		if last := len(merged) - 1; last >= 0 && slices.Equal(merged[last].sets, run.sets) {
			merged[last].households += run.households
			continue
		}
		merged = append(merged, run)
	}
	k.runs = merged
}

// dealtByKey notes what records of each key lose, of how many of them that is known; nil where those of a key lose the
// same, which is what rows lose.
func (d *Deal) dealtByKey(lost []map[uint32]int, counts []int, sets []uint64, parents []uint32) *Deal {
	d.together.ofKey = make([][]uint32, len(lost))
	inTurn := len(parents) != len(d.keys)
	for key, of := range lost {
		losing, own := 0, []uint32(nil)
		for at, records := range of {
			own, losing = append(own, at), losing+records
		}
		if losing < counts[key] && of[0] == 0 {
			own = append(own, 0)
		}
		slices.Sort(own)
		d.together.ofKey[key], inTurn = own, inTurn || len(own) > 1
	}
	for row, set := range sets {
		inTurn = inTurn || d.together.sets[d.together.ofKey[d.keys[parents[row]]][0]] != set
	}
	if !inTurn {
		return nil
	}
	return d
}

// Together reports whether households have their turn or draw, so that their records have to be found in a file.
func (d *Deal) Together() bool { return d.together != nil }

// household is records of a household that loses cells.
type household struct {
	kind *kind
	of   []member
}

// Find reads the file once and finds the records that lose cells by a deal in which households have their turn, or that
// a sample of households keeps, by the place of their first record; the deals of the release are those before it. It
// holds 20 bytes for each record while it reads, and 8 for each that it finds. Errors are those of fileio.ReadPass, and
// ErrChanged.
func (r *Release) Find(ctx context.Context, d *Deal, meter *progress.Meter) error {
	members, alone, err := r.members(ctx, d.together.variable, meter)
	if err != nil {
		return err
	}
	return d.find(members, alone)
}

// find finds the records that lose cells, or are kept, among the members of households, which it sorts, and those that
// are one each.
func (d *Deal) find(members, alone []member) error {
	if d.chances != nil {
		return d.keep(members, alone)
	}
	var losing []household
	var own []uint32
	var packed []byte
	add := func(of []member) {
		slices.SortFunc(of, func(a, b member) int {
			return cmp.Or(cmp.Compare(d.keys[a.row], d.keys[b.row]), cmp.Compare(a.record, b.record))
		})
		own = own[:0]
		for _, m := range of {
			own = append(own, d.keys[m.row])
		}
		packed = pack(packed[:0], own)
		if kind := d.together.kinds[string(packed)]; kind != nil {
			losing = append(losing, household{kind, of})
		}
	}
	eachHousehold(members, add)
	for i := range alone {
		add(alone[i : i+1])
	}
	d.together.take(losing)
	return nil
}

// keep draws which households a sample keeps, in the order of their first records.
func (d *Deal) keep(members, alone []member) error {
	records := len(members) + len(alone)
	firsts, kept, numbers := microdata.NewBits(records), microdata.NewBits(records), d.chances.Numbers()
	each := func(visit func(of []member)) {
		eachHousehold(members, visit)
		for i := range alone {
			visit(alone[i : i+1])
		}
	}
	each(func(of []member) { firsts.Set(int(of[0].record)) })
	if firsts.Count() != d.chances.Sample.Of {
		return ErrChanged
	}
	firsts.Each(func(record int) {
		if numbers.Next() == 0 {
			kept.Set(record)
		}
	})
	d.together.losses = nil
	each(func(of []member) {
		for _, m := range of {
			if kept.Has(int(of[0].record)) {
				d.together.losses = append(d.together.losses, loss{m.record, 1})
			}
		}
	})
	d.together.inOrder()
	return nil
}

// inOrder puts the records that were found into the order of the file.
func (t *together) inOrder() {
	slices.SortFunc(t.losses, func(a, b loss) int { return cmp.Compare(a.record, b.record) })
}

// take gives households their turn.
func (t *together) take(losing []household) {
	first := func(h household) uint32 {
		return slices.MinFunc(h.of, func(a, b member) int { return cmp.Compare(a.record, b.record) }).record
	}
	slices.SortFunc(losing, func(a, b household) int { return cmp.Compare(first(a), first(b)) })
	turns := map[*kind]turn{}
	t.losses = nil
	for _, h := range losing {
		at := turns[h.kind]
		if at.run < len(h.kind.runs) && at.records == h.kind.runs[at.run].households {
			at = turn{at.run + 1, 0}
		}
		if at.run == len(h.kind.runs) {
			continue // the others lose nothing
		}
		for i, m := range h.of {
			if set := h.kind.runs[at.run].sets[i]; set != 0 {
				t.losses = append(t.losses, loss{m.record, set})
			}
		}
		at.records++
		turns[h.kind] = at
	}
	t.inOrder()
}
