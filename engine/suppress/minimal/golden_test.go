package minimal

import (
	"context"
	"testing"
	"time"
)

func TestGolden(t *testing.T) {
	cells, price := goldenCases(t)
	sum := int64(0)
	for i, c := range append(cells, price...) {
		t0 := time.Now()
		s, err := Solve(context.Background(), c.problem, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %d k=%d: price %d best %d (%.2f %%) bound %d %d cells %v %v", c.Data, c.Kanon, c.K, s.Price, c.Best, 100*float64(s.Price)/float64(c.Best)-100, s.Bound, c.Bound, s.Cells, time.Since(t0))
		if i < 8 {
			sum += s.Price
		}
		if s.Bound != c.Bound {
			t.Error("bound")
		}
		if v := violators(c.problem, s); v != 0 {
			t.Error("violators", v)
		}
	}
	t.Log(sum)
}

// violators counts records that violate k under the conservative rule, naively.
func violators(p *Problem, s *Solution) int64 {
	type row struct {
		code     []uint32
		count    int64
		complete bool
	}
	left := make([]int64, p.keys())
	for i, n := range p.Count {
		left[i] = int64(n)
	}
	var rows []row
	add := func(key uint32, set uint64, n int64) {
		r := row{make([]uint32, p.variables()), n, true}
		for v := range r.code {
			if set>>v&1 == 0 {
				r.code[v] = p.Codes[v][key]
			}
			r.complete = r.complete && r.code[v] != 0
		}
		rows = append(rows, r)
	}
	for i, key := range s.Keys {
		add(key, s.Sets[i], int64(s.Counts[i]))
		left[key] -= int64(s.Counts[i])
	}
	for key, n := range left {
		if n > 0 {
			add(uint32(key), 0, n)
		}
	}
	var bad int64
	for _, a := range rows {
		var f int64
		for _, b := range rows {
			same, compatible := true, true
			for v := range a.code {
				same = same && a.code[v] == b.code[v]
				compatible = compatible && (a.code[v] == b.code[v] || a.code[v] == 0 || b.code[v] == 0)
			}
			if same || (!a.complete && b.complete && compatible && p.Rule != OwnCategory) {
				f += b.count
			}
		}
		if f < int64(p.K) {
			bad += a.count
		}
	}
	return bad
}
