package minimal

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sharedFolder has data and reference values that are not part of the project.
const sharedFolder = "../../../../shared"

// readTable reads a delimited text file with a header.
func readTable(tb testing.TB, path string, comma rune) (header []string, rows [][]string) {
	tb.Helper()
	file, err := os.Open(path)
	if err != nil {
		tb.Skipf("data file is not here: %v", err)
	}
	defer file.Close()
	reader := csv.NewReader(bufio.NewReaderSize(file, 1<<20))
	reader.Comma = comma
	reader.ReuseRecord = false
	all, err := reader.ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	return all[0], all[1:]
}

// cut replaces numbers with the right-closed interval that contains them, or with an empty text if there is none.
func cut(rows [][]string, column int, breaks []float64) [][]string {
	out := make([][]string, len(rows))
	for i, row := range rows {
		out[i] = slices.Clone(row)
		x, err := strconv.ParseFloat(row[column], 64)
		out[i][column] = ""
		for j := 1; err == nil && j < len(breaks); j++ {
			if x > breaks[j-1] && x <= breaks[j] {
				out[i][column] = strconv.Itoa(j)
			}
		}
	}
	return out
}

// problemOf groups the rows by the named columns. Categories are numbered in order of appearance and prices are 1.
// The order of suppression starts with the variable with most categories; ties go to the later one.
func problemOf(tb testing.TB, header []string, rows [][]string, names []string, k int) *Problem {
	tb.Helper()
	p := &Problem{K: k}
	q := len(names)
	dictionary := make([]map[string]uint32, q)
	columns := make([]int, q)
	for v, name := range names {
		dictionary[v] = map[string]uint32{"": 0}
		if columns[v] = slices.Index(header, name); columns[v] < 0 {
			tb.Fatalf("no column %s", name)
		}
	}
	p.Codes = make([][]uint32, q)
	index := map[string]int{}
	var text strings.Builder
	for _, row := range rows {
		text.Reset()
		for _, c := range columns {
			text.WriteString(row[c])
			text.WriteByte(0)
		}
		at, known := index[text.String()]
		if !known {
			at = len(p.Count)
			index[text.String()] = at
			p.Count = append(p.Count, 0)
			for v, c := range columns {
				code, seen := dictionary[v][row[c]]
				if !seen {
					code = uint32(len(dictionary[v]))
					dictionary[v][row[c]] = code
				}
				p.Codes[v] = append(p.Codes[v], code)
			}
		}
		p.Count[at]++
	}
	for v := range names {
		p.Levels = append(p.Levels, len(dictionary[v])-1)
		p.Price = append(p.Price, 1)
		p.TieOrder = append(p.TieOrder, q-1-v)
	}
	slices.SortStableFunc(p.TieOrder, func(a, b int) int { return p.Levels[b] - p.Levels[a] })
	return p
}

// weigh sets prices and order from importances, where 1 is the most important.
func (p *Problem) weigh(importance []int) {
	q := len(importance)
	for v, i := range importance {
		p.Price[v] = q + 1 - i
		p.TieOrder[q-i] = v
	}
}

// goldenCase is a case of the reference file, ready to solve.
type goldenCase struct {
	Data       string
	Kanon, K   int
	KeyVars    []string
	Importance []int
	Bound      int64
	Best       int64
	Proven     bool
	problem    *Problem
}

// goldenCases reads the reference cases by number of cells and by price.
func goldenCases(tb testing.TB) (cells, price []goldenCase) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(sharedFolder, "golden", "suppression.json"))
	if err != nil {
		tb.Skipf("reference values are not here: %v", err)
	}
	var all struct{ Cells, Price []goldenCase }
	if err := json.Unmarshal(text, &all); err != nil {
		tb.Fatal(err)
	}
	for _, list := range [][]goldenCase{all.Cells, all.Price} {
		for i := range list {
			list[i].problem = list[i].load(tb)
			if list[i].Data == "francdat" && list[i].K == 3 {
				// The reference has 16, because it ignores that a record missing everywhere counts all others, as
				// the last of the eight does.
				list[i].Best = 14
			}
		}
	}
	return all.Cells, all.Price
}

// load reads the data of a case, with the ages divided into intervals if the reference did so.
func (c *goldenCase) load(tb testing.TB) *Problem {
	header, rows := readTable(tb, filepath.Join(sharedFolder, "data", c.Data+".csv"), ',')
	age := slices.Index(header, "age")
	switch {
	case c.Data == "testdata" && (c.Kanon == 5 || c.Kanon == 6):
		rows = cut(rows, age, []float64{-1, 9, 19, 29, 39, 49, 59, 69, 130})
	case c.Data == "survey" && c.Kanon >= 1:
		rows = cut(rows, age, []float64{-1, 4, 14, 24, 34, 44, 54, 64, 99})
	}
	p := problemOf(tb, header, rows, c.KeyVars, c.K)
	if c.Importance != nil {
		p.weigh(c.Importance)
	}
	return p
}
