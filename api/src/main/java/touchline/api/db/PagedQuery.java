package touchline.api.db;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;

/**
 * A list of rows that is read by pages. Read it in a transaction, so that rows and total match.
 * Immutable.
 *
 * @param columns of the result
 * @param from the table, with the condition
 * @param order of the rows, for ORDER BY; without ties, so that no page repeats a row
 * @param bind binds the parameters of the condition
 */
record PagedQuery(String columns, String from, String order, UnaryOperator<Query> bind) {
    /** All columns of a table or condition without parameters. */
    PagedQuery(String from, String order) {
        this("*", from, order, UnaryOperator.identity());
    }

    <T> Page<T> read(Handle handle, PageRequest request, RowMapper<T> mapper) {
        long total =
                bind.apply(handle.createQuery("SELECT COUNT(*) FROM " + from))
                        .mapTo(Long.class)
                        .one();
        List<T> items =
                bind.apply(
                                handle.createQuery(
                                        "SELECT %s FROM %s ORDER BY %s LIMIT :limit OFFSET :offset"
                                                .formatted(columns, from, order)))
                        .bind("limit", request.limit())
                        .bind("offset", request.offset())
                        .map(mapper)
                        .list();
        return Page.of(items, request, total);
    }
}
