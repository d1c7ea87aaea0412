package asn1

// Wrappers reads the wrappers (5.2) in their order. Each Open must be followed by Close; Open, Element and Elements
// read the contents between them.
//
// A definite wrapper ends at an offset, which limits everything within it. An indefinite one ends at 00 00 in place of
// an element.
type Wrappers struct {
	text   []byte
	at     int
	opened []scope
	failed bool
}

type scope struct {
	end        int // of a definite wrapper; of an indefinite one, that of the wrapper around it
	indefinite bool
}

// NewWrappers begins before the outermost wrapper.
func NewWrappers(text []byte) *Wrappers {
	return &Wrappers{text: text}
}

// Open begins a wrapper of this tag.
func (w *Wrappers) Open(tag byte) {
	end := w.end()
	if w.failed || end-w.at < 2 || w.text[w.at] != tag {
		w.failed = true
		return
	}
	header, length := 2, int(w.text[w.at+1])
	indefinite := length == 0x80
	var err error
	if length > 0x80 {
		header, length, err = longLength(w.text[w.at:end])
	}
	w.at += header
	if indefinite {
		w.opened = append(w.opened, scope{end, true})
		return
	}
	w.failed = err != nil || length > end-w.at
	w.opened = append(w.opened, scope{w.at + length, false})
}

// Close ends the wrapper that was opened last. It fails if anything is left in the wrapper.
func (w *Wrappers) Close() {
	if w.failed || !w.AtEnd() {
		w.failed = true
		return
	}
	if w.opened[len(w.opened)-1].indefinite {
		w.at += 2
	}
	w.opened = w.opened[:len(w.opened)-1]
}

// AtEnd says whether nothing is left in the wrapper.
func (w *Wrappers) AtEnd() bool {
	if w.failed {
		return true
	}
	if !w.opened[len(w.opened)-1].indefinite {
		return w.at == w.end()
	}
	return w.end()-w.at >= 2 && w.text[w.at] == 0 && w.text[w.at+1] == 0
}

// Next returns the tag of the next element; 0 at the end.
func (w *Wrappers) Next() byte {
	if w.AtEnd() || w.at == w.end() {
		return 0
	}
	return w.text[w.at]
}

// Element reads an element, which is in DER. After a failure it is the zero Element.
func (w *Wrappers) Element() Element {
	if w.failed {
		return Element{}
	}
	element, rest, err := parseNext(w.text[w.at:w.end()], len(w.opened)+1)
	if err != nil {
		w.failed = true
		return Element{}
	}
	w.at = w.end() - len(rest)
	return element
}

// Elements reads all elements up to the end of the wrapper.
func (w *Wrappers) Elements() []Element {
	var elements []Element
	for !w.AtEnd() {
		elements = append(elements, w.Element())
	}
	return elements
}

// Finish says whether everything was read, without a failure.
func (w *Wrappers) Finish() error {
	if w.failed || len(w.opened) > 0 || w.at != len(w.text) {
		return ErrMalformed
	}
	return nil
}

func (w *Wrappers) end() int {
	if len(w.opened) == 0 {
		return len(w.text)
	}
	return w.opened[len(w.opened)-1].end
}
