package touchline.api.domain;

/**
 * Selects a page of a list. Immutable.
 *
 * @param page from 1
 * @param limit items a page, 1 to 100
 */
public record PageRequest(int page, int limit) {
    public static final int DEFAULT_LIMIT = 25;
    public static final int MAX_LIMIT = 100;
    public static final PageRequest FIRST = new PageRequest(1, DEFAULT_LIMIT);

    public PageRequest {
        if (page < 1) {
            throw new IllegalArgumentException("page: " + page + " (expected: >= 1)");
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: 1 to 100)");
        }
    }

    /** Number of items before the page. */
    public long offset() {
        return (page - 1L) * limit;
    }
}
