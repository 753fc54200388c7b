package session

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// The records on pages have the cells of the protected file, but for those that only some records of a group lose: of
// these as many are lost there as the page says. What is found by a filter is the same in every source.
func TestPagesTellWhatIsReleased(t *testing.T) {
	stateHere(t)
	server, _ := servertest.Start(t)
	folder := t.TempDir()
	undecided := 0
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 11))
		drawn := drawTable(random)
		drawn.load(t, "pgx", server, inPostgres)
		drawn.load(t, "sqlite", filepath.Join(folder, "survey.db"), inSQLite)
		file := filepath.Join(folder, "survey.csv")
		must(t, os.WriteFile(file, []byte(strings.Join(drawnColumns, ",")+"\n"+drawn.lines()), 0o600))
		sources := sourcesOf(t, folder, server)
		sources["stream"] = InPasses(file)
		steps := random.Perm(slices.IndexFunc(streamedSteps, func(line string) bool { return strings.HasPrefix(line, `{"scenario"`) }))[:2]
		found := map[string][]string{}
		for name, path := range sources {
			format := fileio.NewFormat()
			format.Missing = []string{"", "NA"}
			s := openedFor(t, Identity{Path: path}, format)
			_, err := actOn(s, `{"scenario":{"keys":["region","sex","age"],"sensitive":["health"],"weight":"w","remove":["note"]}}`)
			must(t, err)
			for _, step := range []string{streamedSteps[steps[0]], drawnSteps[seed], drawnSteps[3+seed], streamedSteps[steps[1]]} {
				if _, err := actOn(s, step); err != nil {
					continue // it finds nothing to do
				}
				undecided += checkTold(t, s, folder, format)
			}
			for _, filter := range []string{"age > 31 and sex = f", "income >= 2500.5 or health missing", `note contains "Y Y"`} {
				w := &paged.Wanted{Records: 1000}
				w.Filter, err = notation.ParseCondition(filter)
				must(t, err)
				page, err := s.Pages().Page(t.Context(), w, nil)
				must(t, err)
				ids, _ := page.Data.Column("id")
				for row := range page.Len() {
					found[name] = append(found[name], ids.Text(row))
				}
				found[name] = append(found[name], "")
			}
			must(t, s.Close())
		}
		for name := range sources {
			if !slices.Equal(found[name], found["stream"]) {
				t.Errorf("seed %d: %s finds %q\nand the file has %q", seed, name, found[name], found["stream"])
			}
		}
	}
	if undecided == 0 {
		t.Error("no cell was lost by some records of a group alone")
	}
}

// checkTold compares the pages of a session with its protected file, and returns how many cells were undecided.
func checkTold(t *testing.T, s *Session, folder string, format fileio.Format) (undecided int) {
	t.Helper()
	path := filepath.Join(folder, "out.csv")
	_, err := s.Document().Export(t.Context(), ExportOptions{Path: path, Force: true}, nil)
	must(t, err)
	released, _, err := fileio.Read(t.Context(), path, format, nil)
	must(t, err)
	rowOf := map[string]int{}
	ids, _ := released.Column("id")
	for row := range released.Len() {
		rowOf[ids.Text(row)] = row
	}
	type cellOf struct {
		variable string
		group    uint32
	}
	losing, lost := map[cellOf]streamed.Losing{}, map[cellOf]streamed.Losing{}
	sampled, found := map[uint32]streamed.Sampled{}, map[uint32]streamed.Sampled{}
	w := &paged.Wanted{Records: 17}
	for turn := 0; ; turn++ {
		page, err := s.Pages().Page(t.Context(), w, nil)
		must(t, err)
		ids, _ := page.Data.Column("id")
		for row := range page.Len() {
			as, kept := rowOf[ids.Text(row)]
			if page.Sampled != nil {
				of := found[page.Groups[row]]
				if of.Of++; kept {
					of.Kept++
				}
				found[page.Groups[row]], sampled[page.Groups[row]] = of, page.Sampled[row]
			}
			if !kept {
				continue
			}
			for _, column := range released.Columns() {
				told, _ := page.Data.Column(column.Name())
				part, some := page.Undecided[column.Name()][row]
				if at := (cellOf{column.Name(), page.Groups[row]}); some {
					undecided++
					count := lost[at]
					switch count.Of++; {
					case !sameCell(told, row, column, as) && column.Missing(as):
						count.Some++
					case !sameCell(told, row, column, as):
						count.Others++
					}
					losing[at], lost[at] = part, count
				}
				if !some && !sameCell(told, row, column, as) {
					t.Fatalf("record %s: %s is %q and released as %q", ids.Text(row), column.Name(), told.Text(row), column.Text(as))
				}
			}
		}
		if page.Ends {
			break
		}
		w.From = paged.Place{At: paged.After, Mark: page.Marks[page.Len()-1]}
	}
	if !maps.Equal(sampled, found) || len(found) == 0 && released.Len() < s.opened.Data.Records() {
		t.Errorf("of groups are kept\n%v\nand not\n%v", found, sampled)
	}
	for at, part := range losing {
		if lost[at] != part {
			t.Errorf("%v: %v lose the cell, and not %v", at, lost[at], part)
		}
	}
	return undecided
}

func sameCell(a *microdata.Column, row int, b *microdata.Column, as int) bool {
	return a.Missing(row) == b.Missing(as) && (a.Missing(row) || a.Text(row) == b.Text(as))
}
