//! The rules: a position is an acyclic digraph with an integer weight on each vertex. Alice and Bob in turn remove a sink, a
//! vertex of out-degree 0, and collect its weight; Alice starts, nobody may pass, and each wants a greater total than the other.

/// The most vertices of a digraph, so that a set of vertices is one word.
pub const MAX_VERTICES: usize = 64;

/// The largest absolute value of a weight that anyone may give: sums of 64 of them stay far inside an `i64`.
pub const MAX_WEIGHT: i64 = 1_000_000_000;

/// An acyclic digraph on the vertices 0, 1, …, at most [`MAX_VERTICES`] of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Digraph {
    /// The out-neighbours of each vertex, a bit each: they must go before it.
    out: Vec<u64>,
}

/// The p×q grid: the vertex (i,j) can be removed once (i-1,j) and (i,j-1) are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid {
    /// p, at least 1.
    pub rows: usize,
    /// q, at least 1; pq is at most [`MAX_VERTICES`].
    pub columns: usize,
}

/// Why arcs make no acyclic digraph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DigraphError {
    /// The vertices of a cycle, each with an arc to the next and the last with one to the first.
    #[error("the digraph has a cycle of {} vertices; an acyclic digraph is wanted", .0.len())]
    Cycle(Vec<usize>),
    /// More vertices than fit.
    #[error("{0} vertices are too many; a digraph here has at most {limit}", limit = MAX_VERTICES)]
    TooMany(usize),
    /// An arc to a vertex that is not there.
    #[error("an arc leads to vertex {0}, which is not there")]
    NoVertex(usize),
}

/// The vertices whose bits are set, ascending.
pub fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let vertex = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(vertex)
    })
}

impl Digraph {
    /// The digraph with these out-neighbours, a bit each.
    ///
    /// Cost: O(vertices²).
    ///
    /// # Errors
    /// [`DigraphError`].
    pub fn new(out: Vec<u64>) -> Result<Self, DigraphError> {
        let count = out.len();
        if count > MAX_VERTICES {
            return Err(DigraphError::TooMany(count));
        }
        let graph = Self { out };
        let outside = graph.out.iter().flat_map(|out| members(out & !graph.all())).next();
        if let Some(vertex) = outside {
            return Err(DigraphError::NoVertex(vertex));
        }
        // Sinks are taken away as long as there are any; what is left then has an out-neighbour each, so it holds a cycle.
        let mut left = graph.all();
        while let Some(sink) = graph.sinks(left).next() {
            left &= !(1 << sink);
        }
        if left == 0 { Ok(graph) } else { Err(DigraphError::Cycle(graph.cycle(left))) }
    }

    /// A cycle in a set whose members all have an out-neighbour in it; the set is not empty.
    fn cycle(&self, set: u64) -> Vec<usize> {
        let mut walk = Vec::new();
        let mut vertex = set.trailing_zeros() as usize;
        loop {
            if let Some(start) = walk.iter().position(|seen| *seen == vertex) {
                return walk.split_off(start);
            }
            walk.push(vertex);
            vertex = (self.out[vertex] & set).trailing_zeros() as usize;
        }
    }

    /// The union of directed paths with these numbers of vertices; in each path the sink v_1 comes first, then v_2, ….
    ///
    /// # Errors
    /// [`DigraphError::TooMany`].
    pub fn paths(lengths: &[usize]) -> Result<Self, DigraphError> {
        let count = lengths.iter().sum();
        if count > MAX_VERTICES {
            return Err(DigraphError::TooMany(count));
        }
        let mut out = Vec::with_capacity(count);
        for length in lengths {
            let start = out.len();
            out.extend((0..*length).map(|index| if index == 0 { 0 } else { 1 << (start + index - 1) }));
        }
        Ok(Self { out })
    }

    /// The grid, its vertices in reading order.
    ///
    /// # Errors
    /// [`DigraphError::TooMany`].
    pub fn grid(grid: Grid) -> Result<Self, DigraphError> {
        let Grid { rows, columns } = grid;
        let count = rows.saturating_mul(columns);
        if count > MAX_VERTICES {
            return Err(DigraphError::TooMany(count));
        }
        let out = |cell: usize| {
            let above = if cell >= columns { 1 << (cell - columns) } else { 0 };
            let before = if cell.is_multiple_of(columns) { 0 } else { 1 << (cell - 1) };
            above | before
        };
        Ok(Self { out: (0..count).map(out).collect() })
    }

    /// How many vertices there are.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.out.len()
    }

    /// The set of all vertices.
    #[must_use]
    pub fn all(&self) -> u64 {
        match self.out.len() {
            0 => 0,
            count => u64::MAX >> (MAX_VERTICES - count),
        }
    }

    /// The out-neighbours of all vertices, a bit each.
    #[must_use]
    pub fn out(&self) -> &[u64] {
        &self.out
    }

    /// The in-neighbours of a vertex. Cost: O(vertices).
    #[must_use]
    pub fn in_neighbours(&self, vertex: usize) -> u64 {
        (0..self.out.len()).filter(|other| self.out[*other] >> vertex & 1 == 1).fold(0, |set, other| set | 1 << other)
    }

    /// The sinks of what is left: the vertices that the next player may remove.
    pub fn sinks(&self, left: u64) -> impl Iterator<Item = usize> {
        members(left).filter(move |vertex| self.out[*vertex] & left == 0)
    }

    /// The digraph without some vertices; the others keep their order.
    #[must_use]
    pub fn without(&self, gone: u64) -> Self {
        let kept: Vec<usize> = members(self.all() & !gone).collect();
        let renamed = |out: u64| kept.iter().enumerate().filter(|(_, old)| out >> **old & 1 == 1).fold(0, |set, (new, _)| set | 1 << new);
        Self { out: kept.iter().map(|old| renamed(self.out[*old])).collect() }
    }

    /// The connected components that are directed paths, each from its sink v_1 on. Cost: O(vertices²).
    #[must_use]
    pub fn path_components(&self) -> Vec<Vec<usize>> {
        let is_path_start = |sink: &usize| self.out[*sink] == 0;
        (0..self.out.len()).filter(is_path_start).filter_map(|sink| self.path_from(sink)).collect()
    }

    /// The path that is the component of a sink, if it is one.
    fn path_from(&self, sink: usize) -> Option<Vec<usize>> {
        let mut path = vec![sink];
        loop {
            // The path is not empty, and its last vertex has no out-neighbour outside it.
            let last = path[path.len() - 1];
            let before = self.in_neighbours(last);
            match before.count_ones() {
                0 => return Some(path),
                1 if self.out[before.trailing_zeros() as usize] == 1 << last => path.push(before.trailing_zeros() as usize),
                _ => return None,
            }
        }
    }
}

impl Grid {
    /// The set of the cells (i,j), counted from 1, that a predicate picks; bits are in reading order.
    pub fn cells(self, picks: impl Fn(usize, usize) -> bool) -> u64 {
        let cell = |index: usize| picks(index / self.columns + 1, index % self.columns + 1);
        (0..self.vertices()).filter(|index| cell(*index)).fold(0, |set, index| set | 1 << index)
    }

    /// pq.
    #[must_use]
    pub fn vertices(self) -> usize {
        self.rows * self.columns
    }

    /// Whether Content, the player who makes the last move, is Alice.
    #[must_use]
    pub fn content_is_alice(self) -> bool {
        !self.vertices().is_multiple_of(2)
    }
}

/// An acyclic digraph with a weight on each vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The digraph.
    pub graph: Digraph,
    /// The weights, a vertex each.
    pub weights: Vec<i64>,
    /// The grid that the digraph was given as, if it was.
    pub grid: Option<Grid>,
}

impl Position {
    /// A union of paths, the weights of each from its sink v_1 on.
    ///
    /// # Errors
    /// [`DigraphError::TooMany`].
    pub fn of_paths(paths: &[Vec<i64>]) -> Result<Self, DigraphError> {
        let lengths: Vec<usize> = paths.iter().map(Vec::len).collect();
        Ok(Self { graph: Digraph::paths(&lengths)?, weights: paths.concat(), grid: None })
    }

    /// A grid, its weights in reading order, pq of them.
    ///
    /// # Errors
    /// [`DigraphError::TooMany`].
    pub fn of_grid(grid: Grid, weights: Vec<i64>) -> Result<Self, DigraphError> {
        Ok(Self { graph: Digraph::grid(grid)?, weights, grid: Some(grid) })
    }

    /// The sum of all weights.
    #[must_use]
    pub fn sum(&self) -> i64 {
        self.weights.iter().sum()
    }

    /// The same digraph with another weight on one vertex.
    #[must_use]
    pub fn with_weight(&self, vertex: usize, weight: i64) -> Self {
        let mut other = self.clone();
        other.weights[vertex] = weight;
        other
    }

    /// What is left without some vertices.
    #[must_use]
    pub fn without(&self, gone: u64) -> Self {
        let weights = members(self.graph.all() & !gone).map(|vertex| self.weights[vertex]).collect();
        Self { graph: self.graph.without(gone), weights, grid: None }
    }

    /// The position after three consecutive vertices of a path component became one of this weight. `path` is the component from
    /// its sink on, and `middle` the index of the second of the three in it, neither the first nor the last.
    #[must_use]
    pub fn fused(&self, path: &[usize], middle: usize, weight: i64) -> Self {
        let mut other = self.with_weight(path[middle - 1], weight);
        if let Some(above) = path.get(middle + 2) {
            other.graph.out[*above] = 1 << path[middle - 1];
        }
        other.without(1 << path[middle] | 1 << path[middle + 1])
    }

    /// The weights of each path, from its sink on, if the digraph is a union of directed paths.
    #[must_use]
    pub fn as_paths(&self) -> Option<Vec<Vec<i64>>> {
        let paths = self.graph.path_components();
        let covered: usize = paths.iter().map(Vec::len).sum();
        let weights = |path: &Vec<usize>| path.iter().map(|vertex| self.weights[*vertex]).collect();
        (covered == self.graph.vertices()).then(|| paths.iter().map(weights).collect())
    }
}

/// The totals of Alice and Bob, given the sum of all weights and Alice's total minus Bob's.
#[must_use]
pub fn totals(sum: i64, value: i64) -> (i64, i64) {
    ((sum + value) / 2, (sum - value) / 2)
}

/// What Content collects on a grid, given the sum of all weights and val.
#[must_use]
pub fn content_total(grid: Grid, sum: i64, value: i64) -> i64 {
    let (alice, bob) = totals(sum, value);
    if grid.content_is_alice() { alice } else { bob }
}
