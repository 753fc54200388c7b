package keys

import (
	"context"
	"runtime"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// fewPatterns is the number of patterns up to which looking for thin ones is
// not worth while.
const fewPatterns = 8

// addThin finds the patterns with so few keys that looking through the
// candidates of each key costs less than joining with all other patterns, and
// adds the compatible records of their keys. The candidates of a key are those
// that share its value, or miss it, on the variable where these are fewest.
func (t *Table) addThin(ctx context.Context, p *patterns, c *Compatible) (thin []bool, err error) {
	thin = make([]bool, p.len())
	if p.len() <= fewPatterns {
		return thin, nil
	}
	f := &finder{table: t, patterns: p, thin: thin, out: c, keep: make([][]uint64, p.len())}
	if err := f.choose(ctx); err != nil {
		return nil, err
	}
	var keys []uint32
	for pattern, is := range thin {
		f.keep[pattern] = t.layout.keep(p.sets[pattern])
		if is {
			keys = append(keys, p.keys[p.start[pattern]:p.start[pattern+1]]...)
		}
	}
	workers := parallel.Workers(len(keys)*fewPatterns, runtime.GOMAXPROCS(0))
	return thin, parallel.Tasks(ctx, len(keys), workers, func(_, task int) { f.find(keys[task]) })
}

// finder finds the keys that are compatible with keys of thin patterns.
type finder struct {
	table    *Table
	patterns *patterns
	thin     []bool
	out      *Compatible
	keep     [][]uint64 // mask of the variables that are not missing, per pattern
	postings []postings // per variable; empty where not needed
	counts   [][]uint32 // distinct keys per variable and code
}

// postings lists the distinct keys by the code of one variable.
type postings struct {
	start []uint32
	keys  []uint32
}

// choose decides which patterns are thin and prepares their postings.
func (f *finder) choose(ctx context.Context) error {
	t, p := f.table, f.patterns
	f.counts = make([][]uint32, t.Variables())
	for variable := range f.counts {
		f.counts[variable] = make([]uint32, t.Levels(variable)+1)
		for _, code := range t.Codes(variable) {
			f.counts[variable][code]++
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	f.postings = make([]postings, t.Variables())
	for pattern := range p.len() {
		keys := p.keys[p.start[pattern]:p.start[pattern+1]]
		// A candidate costs less than half of a look-up in a joined pattern; a
		// pattern costs its preparation for every other one.
		if f.candidates(keys, 2*t.Keys()+100*p.len()) && p.sets[pattern] != 0 {
			f.thin[pattern] = true
			for _, key := range keys {
				variable, _ := f.narrowest(key)
				f.post(variable)
			}
		}
	}
	return ctx.Err()
}

// candidates reports whether the keys have at most limit candidates together;
// never for a key that is missing everywhere.
func (f *finder) candidates(keys []uint32, limit int) bool {
	for _, key := range keys {
		variable, count := f.narrowest(key)
		if limit -= count; limit < 0 || variable < 0 {
			return false
		}
	}
	return true
}

// narrowest returns the variable on which a key has the fewest candidates, and
// their number; -1 for a key that is missing everywhere.
func (f *finder) narrowest(key uint32) (variable, count int) {
	t := f.table
	packed := t.codes[int(key)*t.layout.words():]
	variable, count = -1, t.Keys()+1
	for j := range t.layout.fields {
		code := t.layout.fields[j].code(packed)
		if candidates := int(f.counts[j][code] + f.counts[j][0]); code != 0 && candidates < count {
			variable, count = j, candidates
		}
	}
	return variable, count
}

// post makes the postings of a variable.
func (f *finder) post(variable int) {
	if f.postings[variable].start != nil {
		return
	}
	posted := postings{make([]uint32, len(f.counts[variable])+1), make([]uint32, f.table.Keys())}
	for code, count := range f.counts[variable] {
		posted.start[code+1] = posted.start[code] + count
	}
	next := append([]uint32(nil), posted.start...)
	for key, code := range f.table.Codes(variable) {
		posted.keys[next[code]] = uint32(key)
		next[code]++
	}
	f.postings[variable] = posted
}

// find adds the compatible records of a key of a thin pattern, and its own
// records to compatible keys of patterns that are not thin.
func (f *finder) find(key uint32) {
	t, p := f.table, f.patterns
	variable, _ := f.narrowest(key)
	code, posted := t.Codes(variable)[key], &f.postings[variable]
	own := sum{t.counts[key], t.units[key]}
	toOthers := f.out.column(p, int(p.of[key]))
	var complete, incomplete sum
	for _, value := range [2]uint32{0, code} {
		for _, other := range posted.keys[posted.start[value]:posted.start[value+1]] {
			pattern := p.of[other]
			if pattern == p.of[key] || !f.compatible(key, other) {
				continue
			}
			if p.sets[pattern] == 0 {
				complete.add(t.counts[other], t.units[other])
			} else {
				incomplete.add(t.counts[other], t.units[other])
			}
			if !f.thin[pattern] {
				toOthers.addAtomic(other, own)
			}
		}
	}
	f.out.complete().addAtomic(key, complete)
	f.out.incomplete().addAtomic(key, incomplete)
}

// compatible reports whether two keys agree where neither is missing.
func (f *finder) compatible(a, b uint32) bool {
	keepA, keepB := f.keep[f.patterns.of[a]], f.keep[f.patterns.of[b]]
	words := len(keepA)
	codes := f.table.codes
	for word := range words {
		if (codes[int(a)*words+word]^codes[int(b)*words+word])&keepA[word]&keepB[word] != 0 {
			return false
		}
	}
	return true
}
