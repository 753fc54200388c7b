package rdata

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// outline lists the objects of a file.
type outline struct {
	frames []frame  // data frames in file order
	others []string // descriptions of other objects
}

// frame is a data frame, with its path: "survey", "all$persons".
type frame struct {
	path    string
	columns []column
	node    *node // has the attributes of the frame; for replaced columns, that of the original data
}

// column is a column of a data frame.
type column struct {
	name string
	*node
	roles role
	was   *column // the column in the original data of an sdcMicro object; nil if this is it
}

// mostFrames is the maximum number of data frames offered for selection.
const mostFrames = 1000

// readOutline reads the outline of a file, with the first heads elements of its vectors.
func readOutline(ctx context.Context, in *statfile.Source, heads int64, meter *progress.Meter) (*outline, error) {
	p, named, err := newParser(ctx, in, meter)
	if err != nil {
		return nil, explained(ctx, in, err)
	}
	defer p.close()
	p.heads = heads
	root := p.object(true, false)
	if p.err == nil {
		p.err = p.rest()
	}
	if p.err != nil {
		return nil, explained(ctx, in, p.err)
	}
	var o outline
	if named && root.kind == pairs {
		for _, part := range root.parts {
			o.add(part.name, part.value, 0)
		}
		return &o, nil
	}
	o.add("", root, 0)
	return &o, nil
}

// explained returns an error as a sentence with the name of the file.
func explained(ctx context.Context, in *statfile.Source, err error) error {
	own := new(statfile.Failure)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, statfile.ErrMemory):
		return err
	case errors.As(err, &own):
		return in.Failure(own.Unwrap(), "%s", own.Error())
	case errors.Is(err, errEnded), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return in.Failure(statfile.ErrDamaged, "the R file ends too soon: it is truncated or damaged")
	}
	return in.Failure(statfile.ErrDamaged, "the R file is damaged: %v", err)
}

// add adds a named object and, for a list, its elements.
func (o *outline) add(path string, n *node, depth int) {
	const most = 20
	switch {
	case n == nil:
		return
	case n.is("data.frame") && n.kind == list:
		switch f, ok := frameOf(path, n); {
		case ok && len(o.frames) < mostFrames:
			o.frames = append(o.frames, f)
		case n.length > statfile.MostVariables:
			o.others = append(o.others, called(path)+n.described())
		}
		return
	case n.kind == s4 && n.is(sdcClass):
		o.frames = append(o.frames, sdcFrames(path, n)...)
		return
	case n.kind == list && depth < most && len(o.others) < mostFrames:
		found, names := len(o.frames), n.words("names")
		for i, element := range n.elements {
			o.add(inside(path, names, i), element, depth+1)
		}
		if len(o.frames) > found {
			return
		}
	}
	if depth == 0 {
		o.others = append(o.others, called(path)+n.described())
	}
}

// inside returns the path of an element of a list.
func inside(path string, names []string, at int) string {
	name := "[[" + strconv.Itoa(at+1) + "]]"
	if at < len(names) && names[at] != "" {
		if name = names[at]; path != "" {
			name = "$" + name
		}
	}
	return path + name
}

func called(path string) string {
	if path == "" {
		return ""
	}
	return wording.Excerpt(path) + " is "
}

// frameOf returns the data frame of a node; ok is false if the outline lacks parts of it.
func frameOf(path string, n *node) (f frame, ok bool) {
	names := n.words("names")
	if int64(len(n.elements)) != n.length || int64(len(names)) != n.length {
		return f, false
	}
	f = frame{path: strings.ReplaceAll(path, "\n", " "), node: n}
	for i, element := range n.elements {
		f.columns = append(f.columns, column{name: names[i], node: element})
	}
	return f, true
}

// described describes an object that is not a data frame.
func (n *node) described() string {
	extent := n.numbers("dim")
	sizes := wording.Joined(extent, " × ", func(x float64) string { return wording.Number(int(x)) })
	switch {
	case n.is("data.frame") && n.length > statfile.MostVariables:
		return "a data frame of more than " + wording.Counted(statfile.MostVariables, "variable")
	case n.is("table"):
		return "a table of counts"
	case n.is("ts"):
		return "a time series"
	case len(extent) == 2:
		return "a matrix of " + sizes
	case len(extent) > 0:
		return "an array of " + sizes
	case n.is("factor"):
		return "a factor, without a data frame"
	case n.atomic() || n.kind == complexes || n.kind == raw:
		return "a vector of " + wording.Counted(int(n.length), "value")
	case n.kind == null:
		return "nothing (NULL)"
	case n.kind == list && !n.object:
		return "a list without a data frame"
	case n.kind == closure || n.kind == special || n.kind == builtin:
		return "a function"
	case n.word("class") != "":
		return "an object of class " + wording.Excerpt(n.word("class"))
	case n.kind == environment:
		return "an environment"
	}
	return "not a vector"
}

// numbers returns an attribute as numbers.
func (n *node) numbers(name string) (out []float64) {
	a := n.attribute(name)
	if a == nil || a.kind == text || a.length > mostNodes {
		return nil
	}
	values := numbers{endless: true, to: func(part []float64) { out = append(out, part...) }}
	a.feed(a.length, &values)
	return out
}

// chosen returns the data frame selected in the settings.
func (o *outline) chosen(in *statfile.Source, settings statfile.Settings) (*frame, error) {
	path, given := settings[objectSetting]
	at := slices.IndexFunc(o.frames, func(f frame) bool { return f.path == path })
	switch {
	case given && path != "" && at < 0:
		return nil, in.Failure(statfile.ErrUnsupported, "the file has no data frame %q; choose another one",
			wording.Excerpt(path))
	case len(o.frames) == 0:
		const most = 5
		return nil, in.Failure(statfile.ErrUnsupported,
			"the R file has no data frame (%s): create one in R, for example with as.data.frame, and save it",
			strings.Join(wording.FirstFew(o.others, most), "; "))
	case at < 0:
		at = 0
	}
	return &o.frames[at], nil
}

// left adds the names of columns that cannot be read, and other losses.
func (f *frame) left(lost *statfile.Losses) {
	for i := range f.columns {
		if c := &f.columns[i]; !c.readable() {
			lost.Add("columns other than vectors with one value per record are omitted",
				fmt.Sprintf("%s (%s)", c.name, c.node.said()))
		}
	}
	if rows := f.node.attribute("row.names"); rows != nil && rows.kind == text && rows.length > 0 {
		lost.Add("row names are omitted: if you need them, make them a column in R", "")
	}
}

func (n *node) said() string {
	if n == nil {
		return "too large"
	}
	return n.described()
}
