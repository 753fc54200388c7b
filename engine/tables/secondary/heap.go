package secondary

// push adds a number to a heap.
func push(heap []int32, x int32) []int32 {
	heap = append(heap, x)
	i := len(heap) - 1
	for i > 0 && heap[(i-1)/2] > x {
		heap[i] = heap[(i-1)/2]
		i = (i - 1) / 2
	}
	heap[i] = x
	return heap
}

// pop removes the smallest number of a heap.
func pop(heap []int32) (smallest int32, rest []int32) {
	smallest = heap[0]
	last := heap[len(heap)-1]
	heap = heap[:len(heap)-1]
	i := 0
	for child := 1; child < len(heap); child = 2*i + 1 {
		if child+1 < len(heap) && heap[child+1] < heap[child] {
			child++
		}
		if heap[child] >= last {
			break
		}
		heap[i] = heap[child]
		i = child
	}
	if len(heap) > 0 {
		heap[i] = last
	}
	return smallest, heap
}
