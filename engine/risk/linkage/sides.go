package linkage

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// sides has both files by record: the first numbers values of a record are numbers, the rest are categories. The
// distance is Euclidean if squared is set, otherwise the sum of absolute differences.
type sides struct {
	n, numbers, width int
	masked, known     []float64
	squared           bool
	category          float64 // distance of two different categories
}

// distance returns the distance between a masked and a known record.
func (s *sides) distance(masked, known int) float64 {
	a, b := s.masked[masked*s.width:][:s.width], s.known[known*s.width:][:s.width]
	sum := 0.0
	for j, x := range a[:s.numbers] {
		if d := x - b[j]; s.squared {
			sum += float64(d * d)
		} else {
			sum += math.Abs(d)
		}
	}
	if s.squared {
		return math.Sqrt(sum)
	}
	for j, x := range a[s.numbers:] {
		if x != b[s.numbers+j] {
			sum += s.category
		}
	}
	return sum
}

// inShares divides the masked and known numbers by the range of the known ones, or by 1 for constants, and by
// width, the number of all variables.
func inShares(pairs *numeric.Pairs, width int) (masked, known [][]float64) {
	masked, known = make([][]float64, len(pairs.Names)), make([][]float64, len(pairs.Names))
	for j, values := range pairs.Original {
		if len(values) == 0 {
			continue
		}
		scale := slices.Max(values) - slices.Min(values)
		if scale == 0 {
			scale = 1
		}
		scale *= float64(width)
		for i, x := range values {
			known[j] = append(known[j], x/scale)
			masked[j] = append(masked[j], pairs.Current[j][i]/scale)
		}
	}
	return masked, known
}

// equalCodes returns the codes of records in both versions of a variable, which are equal if the labels are.
// Missing is a category.
func equalCodes(was, now *microdata.Categories, rows []uint32) (before, after []float64) {
	same := make([]float64, len(was.Levels)+1)
	for code, other := range microdata.SameLabels(was.Levels, now.Levels) {
		if same[code] = float64(other); other == 0 && code > 0 {
			same[code] = -float64(code) // the label does not exist now
		}
	}
	for _, row := range rows {
		before = append(before, same[was.Codes.At(int(row))])
		after = append(after, float64(now.Codes.At(int(row))))
	}
	return before, after
}

// byRecord transposes variables into consecutive values by record.
func byRecord(variables [][]float64, n int) []float64 {
	out := make([]float64, 0, n*len(variables))
	for i := range n {
		for _, values := range variables {
			out = append(out, values[i])
		}
	}
	return out
}

// link returns the known record assigned to each masked one, and the number of blocks. A block has at most most
// records. A single numeric variable is assigned by rank, which is optimal. Known records are in random order, so
// that ties do not favour correct links.
func (s *sides) link(ctx context.Context, most int, meter *progress.Meter) (columnOf []int, blocks int, err error) {
	columnOf = make([]int, s.n)
	known := make([]uint32, s.n)
	for i, k := range random.Stream(0, "one to one", 0).Perm(s.n) {
		known[i] = uint32(k)
	}
	var within func(masked, known []uint32) error
	within = func(masked, known []uint32) error {
		if len(masked) > most {
			j := s.widest(known)
			middle := len(masked) / 2
			s.halve(s.masked, masked, middle, j)
			s.halve(s.known, known, middle, j)
			if err := within(masked[:middle], known[:middle]); err != nil {
				return err
			}
			return within(masked[middle:], known[middle:])
		}
		blocks++
		block := *s // with adjacent records, for speed
		block.masked, block.known = s.picked(s.masked, masked), s.picked(s.known, known)
		of, err := assign(ctx, len(masked), block.distance, meter)
		if err != nil {
			return err
		}
		for i, k := range of {
			columnOf[masked[i]] = int(known[k])
		}
		return nil
	}
	if s.width == 1 && s.numbers == 1 {
		masked := stat.Order(s.masked)
		slices.SortStableFunc(known, func(a, b uint32) int { return cmp.Compare(s.known[a], s.known[b]) })
		for i, k := range known {
			columnOf[masked[i]] = int(k)
		}
		return columnOf, 1, ctx.Err()
	}
	return columnOf, blocks, within(stat.InOrder(s.n), known)
}

// picked returns the values of the given records.
func (s *sides) picked(values []float64, records []uint32) (out []float64) {
	for _, record := range records {
		out = append(out, values[int(record)*s.width:][:s.width]...)
	}
	return out
}

// widest returns the variable with the largest range among known records.
func (s *sides) widest(records []uint32) (widest int) {
	width := -1.0
	for j := range s.width {
		least, most := math.Inf(1), math.Inf(-1)
		for _, record := range records {
			x := s.known[int(record)*s.width+j]
			least, most = min(least, x), max(most, x)
		}
		if most-least > width {
			widest, width = j, most-least
		}
	}
	return widest
}

// halve partitions records so that those with lower values of variable j are before the middle.
func (s *sides) halve(values []float64, records []uint32, middle, j int) {
	stat.Partition(records, middle, func(a, b uint32) bool {
		x, y := values[int(a)*s.width+j], values[int(b)*s.width+j]
		return x < y || x == y && a < b
	})
}

// right returns, for each record, the probability that its link is correct, with equal masked records, and equal
// known ones, in random order.
func (s *sides) right(columnOf []int) []float64 {
	masked, sizes := s.classes(s.masked)
	known, others := s.classes(s.known)
	links := map[[2]uint32]int{}
	for i, k := range columnOf {
		links[[2]uint32{masked[i], known[k]}]++
	}
	out := make([]float64, s.n)
	for i := range out {
		size := sizes[masked[i]] * others[known[i]]
		out[i] = float64(links[[2]uint32{masked[i], known[i]}]) / float64(size)
	}
	return out
}

// classes numbers the distinct records of a file, and counts each.
func (s *sides) classes(values []float64) (of []uint32, sizes []int) {
	numbers, text := map[string]uint32{}, make([]byte, 0, 8*s.width)
	for i := range s.n {
		text = text[:0]
		for _, x := range values[i*s.width:][:s.width] {
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(x+0)) // turns -0 into 0
		}
		number, ok := numbers[string(text)]
		if !ok {
			number = uint32(len(sizes))
			numbers[string(text)] = number
			sizes = append(sizes, 0)
		}
		sizes[number]++
		of = append(of, number)
	}
	return of, sizes
}
