package touchline.api.domain;

import java.util.List;
import java.util.function.Function;

/**
 * One page of a list, newest first. Immutable.
 *
 * @param page from 1
 * @param limit items a page
 * @param total items on all pages
 */
public record Page<T>(List<T> items, int page, int limit, long total) {
    public Page {
        items = List.copyOf(items);
    }

    public static <T> Page<T> of(List<T> items, PageRequest request, long total) {
        return new Page<>(items, request.page(), request.limit(), total);
    }

    /** Whether a later page has items. */
    public boolean hasMore() {
        return (long) page * limit < total;
    }

    public <R> Page<R> map(Function<? super T, ? extends R> function) {
        return new Page<>(items.stream().<R>map(function).toList(), page, limit, total);
    }
}
