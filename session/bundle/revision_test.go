package bundle_test

import (
	"encoding/csv"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
)

// otherSteps protect the survey differently from steps.
const otherSteps = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age"],"weight":"weight","household":"hid","remove":["pid","relig"]}}
{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,24,64,99]}}
{"step":"suppress-kanonymity","params":{"k":60}}
`

// Two releases in random order differ in the same cells as the same releases in the order of the source, cell by
// cell.
func TestRevision(t *testing.T) {
	path := original(t, 1500)
	var folders [2]string
	var texts [2]string
	for i, script := range []string{steps, otherSteps} {
		d, o := document(t, path, script), options(t)
		o.Accept, o.RandomOrder, o.NewIdentifiers = everything(t, d), false, nil
		done, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
		must(t, err)
		texts[i] = filesIn(t, o.Folder)["users/"+filepath.Base(done.Safe)]
		o = options(t)
		o.Accept = everything(t, d)
		_, err = bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
		must(t, err)
		folders[i] = o.Folder
	}
	r, err := bundle.Compare(t.Context(), folders, bundle.VerifyOptions{Original: path})
	must(t, err)
	got := map[string][3]int{}
	for _, v := range r.Variables {
		if v.InA && v.InB {
			got[v.Name] = [3]int{v.OnlyA, v.OnlyB, v.Cells - v.OnlyA - v.OnlyB}
		} else if v.Name != "relig" || !v.InA {
			t.Errorf("%+v", v)
		}
	}
	want := cellsThatDiffer(t, texts)
	if !maps.Equal(got, want) || len(want) < 4 || r.Compared != 1500 || strings.Join(r.Random, " ") != "hid" {
		t.Errorf("%v, the files say %v; %v", got, want, r.Random)
	}
	kinds := [3]int{}
	for _, cells := range want {
		for i := range kinds {
			kinds[i] += cells[i]
		}
	}
	if kinds[0] == 0 || kinds[1] == 0 || kinds[2] == 0 {
		t.Errorf("a kind of difference does not occur: %v", kinds)
	}
	same, err := bundle.Compare(t.Context(), [2]string{folders[0], folders[0]}, bundle.VerifyOptions{Original: path})
	if err != nil || same.Differing != 0 || len(same.Variables) != 0 {
		t.Errorf("a bundle differs from itself: %+v, %v", same, err)
	}
	if _, err := bundle.Compare(t.Context(), folders, bundle.VerifyOptions{Original: original(t, 1499)}); err == nil {
		t.Error("another original was taken")
	}
}

// cellsThatDiffer counts, for variables in both files, the cells with a value only in the first, only in the
// second, or different values in both.
func cellsThatDiffer(t *testing.T, texts [2]string) map[string][3]int {
	t.Helper()
	a, err := csv.NewReader(strings.NewReader(texts[0])).ReadAll()
	must(t, err)
	b, err := csv.NewReader(strings.NewReader(texts[1])).ReadAll()
	must(t, err)
	counts := map[string][3]int{}
	for i, name := range a[0] {
		for j, other := range b[0] {
			if name != other {
				continue
			}
			cells := [3]int{}
			for record := 1; record < len(a); record++ {
				switch one, two := a[record][i], b[record][j]; {
				case one == two:
				case two == "":
					cells[0]++
				case one == "":
					cells[1]++
				default:
					cells[2]++
				}
			}
			if cells != [3]int{} {
				counts[name] = cells
			}
		}
	}
	return counts
}
