package session

import (
	"crypto/md5"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// noiseInTables are steps by which numbers of records become others, between others.
const noiseInTables = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex"],"remove":["note"]},"file":{"missing":["","NA"]}}
{"step":"recode-topbottom","params":{"variable":"income","top":4000}}
{"step":"noise","params":{"variables":["income","age"],"percent":30,"decimals":"source"},"seed":5}
{"step":"pram","params":{"variables":["sex"],"form":"equal","pd":0.4},"seed":6}
{"step":"suppress-kanonymity","params":{"k":2}}
{"step":"noise","params":{"variables":["income"],"method":"multiplicative","percent":20},"seed":5}`

// noiseIsAlike holds that every record draws the same noise in every database, by its key, and that protected tables
// have what protected files have.
func noiseIsAlike(t *testing.T, folder string, sources map[string]string) {
	t.Helper()
	files := map[string]ran{}
	for name, source := range sources {
		files[name] = runOn(t, folder, noiseInTables, source, filepath.Join(folder, name+".csv"), false)
		must(t, files[name].err)
		released := strings.Replace(source, "table=person", "table=noisy", 1)
		if err := runOn(t, folder, noiseInTables, source, strings.TrimSuffix(released, "&key=id"), false).err; err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		const nothing = "{\"format\":\"sdcdesk-script\",\"version\":1}\n{\"scenario\":{\"keys\":[\"sex\"]},\"file\":{\"missing\":[\"\",\"NA\"]}}"
		table := runOn(t, folder, nothing, released, filepath.Join(folder, name+"_table.csv"), false)
		must(t, table.err)
		if where := otherNumbers(files[name].out, table.out); where != "" {
			t.Errorf("%s: the protected file and the protected table differ at %s", name, where)
		}
	}
	want := files["sqlite"]
	for name, is := range files {
		if where := differs("", want.summary, is.summary); where != "" || is.out != want.out {
			t.Errorf("noise in %s differs from SQLite at %s, %s", name, where, firstOther(want.out, is.out))
		}
	}
}

// The noise of a record of a table follows from the seed, the variable and its key alone: it is computed here from
// them, and from the standard deviation of the numbers.
func TestNoiseOfATableFollowsFromItsKeys(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.Exec("CREATE TABLE person (id INTEGER PRIMARY KEY, sex TEXT, income REAL)")
	must(t, err)
	const records = 300
	incomes, sum, squares := make([]float64, records), 0.0, 0.0
	for i := range incomes {
		incomes[i] = float64((i*7919)%1000) + 0.5
		sum += incomes[i]
		_, err = db.Exec("INSERT INTO person VALUES (?, ?, ?)", 5*i, string("fm"[i%2]), incomes[i])
		must(t, err)
	}
	must(t, db.Close())
	for _, x := range incomes {
		squares += (x - sum/records) * (x - sum/records)
	}
	sd := math.Sqrt(squares / (records - 1))
	is := runOn(t, folder, `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["sex"]}}
{"step":"noise","params":{"variables":["income"],"percent":40,"decimals":"computed"},"seed":77}`, "sqlite:"+path+"?table=person&key=id", filepath.Join(folder, "safe.csv"), false)
	must(t, is.err)
	seen := 0
	for _, line := range strings.Split(is.out, "\n") {
		cells := strings.Split(line, ",")
		id, err := strconv.Atoi(cells[0])
		if err != nil {
			continue // the names of the variables
		}
		digest := md5.Sum(fmt.Appendf(nil, "noise income %016x (%d)", 77, id))
		number := binary.BigEndian.Uint64(digest[:]) &^ (1 << 63)
		want := incomes[id/5] + 0.4*sd*rand.New(rand.NewPCG(number, 0)).NormFloat64()
		got, err := strconv.ParseFloat(cells[2], 64)
		if seen++; err != nil || math.Abs(got-want) > 1e-9*sd {
			t.Fatalf("record %d: %v, want %v", id, cells[2], want)
		}
	}
	if seen != records {
		t.Errorf("%d records", seen)
	}
}

// otherNumbers says which cell of two texts of records is not the same but for how it is spelled; "": none.
func otherNumbers(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	id := func(line, other string) int {
		first, _, _ := strings.Cut(line, ",")
		second, _, _ := strings.Cut(other, ",")
		return strings.Compare(first, second)
	}
	slices.SortStableFunc(x, id)
	slices.SortStableFunc(y, id)
	if len(x) != len(y) {
		return "their number"
	}
	for i := range x {
		one, other := strings.Split(x[i], ","), strings.Split(y[i], ",")
		for j := range one {
			if j >= len(other) {
				return x[i] + " and " + y[i]
			}
			p, err := strconv.ParseFloat(one[j], 64)
			q, wrong := strconv.ParseFloat(other[j], 64)
			if one[j] != other[j] && (err != nil || wrong != nil || math.Abs(p-q) > 1e-12*math.Abs(p)) {
				return x[i] + " and " + y[i]
			}
		}
	}
	return ""
}
