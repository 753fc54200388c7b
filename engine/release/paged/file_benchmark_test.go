package paged

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// BenchmarkPageOfFile reads pages of forty of a million records of text.
func BenchmarkPageOfFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.csv")
	file, err := os.Create(path)
	must(b, err)
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, "id,region,sex,age,marital,educ,job,income,w")
	for i := range 1_000_000 {
		h := uint64(i+1) * 0x9e3779b97f4a7c15 >> 20
		fmt.Fprintf(out, "%d,region %d,%c,%d,%d,%d,%d,%d.%d,%d.%02d\n", i, h%12, "fm"[h%2], h/7%96, h/11%6, h/13%9, h/17%40, h%10000, h%10, 1+h%50, h%100)
	}
	must(b, out.Flush())
	must(b, file.Close())
	f := passed(b, path, fileio.NewFormat())
	for _, asked := range []struct {
		name, filter string
		place        Place
	}{{name: "first"}, {name: "middle", place: Place{At: After, Mark: "500000"}}, {name: "last", place: Place{At: Last}},
		{name: "filtered", filter: "age > 90 and region = \"region 3\" and income > 9990"}} {
		b.Run(asked.name, func(b *testing.B) {
			for b.Loop() {
				w := &Wanted{Records: 40, From: asked.place}
				must(b, w.Filter.Set(asked.filter))
				_, err := f.Page(b.Context(), w, nil)
				must(b, err)
			}
		})
	}
}
