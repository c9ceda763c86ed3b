package touchline.api.db;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.Event;

/**
 * Records events in the transaction of their change, with one delivery for each subscribed
 * endpoint. All of it is committed or nothing. Listeners receive an event after its commit. After a
 * crash the next start finds missed events in the database. Blocks; any thread.
 *
 * <p>Events of one stream are numbered without gaps, in the order of their commits: the first one
 * of a transaction holds the stream's number until the transaction ends.
 */
public final class Outbox {
    private static final Logger log = LoggerFactory.getLogger(Outbox.class);

    /** The same number of decimals always, so that receivers may compare texts. */
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    /** The stream of events that belong to no live stream. */
    static final String NO_STREAM = "";

    /** Receives committed events. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called after the commit, on its thread. Must not block.
         *
         * @param endpoints those that it is to be delivered to
         */
        void committed(Event event, List<String> endpoints);
    }

    private final Database database;
    private final InstantSource clock;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    Outbox(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Passes every event that is committed from now on to this listener. */
    public void listen(Listener listener) {
        listeners.add(listener);
    }

    public void remove(Listener listener) {
        listeners.remove(listener);
    }

    /**
     * Records an event in the transaction around this call.
     *
     * @throws IllegalStateException outside of a transaction: the event would not belong to its
     *     change
     */
    public Event append(NewEvent event) {
        return inChange(
                handle -> {
                    Event appended = insert(handle, event);
                    List<String> endpoints = EndpointRows.asking(handle, appended);
                    DeliveryRows.insert(handle, appended, endpoints);
                    database.afterCommit(() -> notifyListeners(appended, endpoints));
                    return appended;
                });
    }

    /** Records an event for one endpoint, subscribed or not. */
    public Event appendFor(String endpoint, NewEvent event) {
        return inChange(
                handle -> {
                    Event appended = insert(handle, event);
                    List<String> only = List.of(endpoint);
                    DeliveryRows.insert(handle, appended, only);
                    database.afterCommit(() -> notifyListeners(appended, only));
                    return appended;
                });
    }

    private Event inChange(Function<Handle, Event> work) {
        if (!database.insideTransaction()) {
            throw new IllegalStateException("an event belongs into the transaction of its change");
        }
        return database.with(work);
    }

    private Event insert(Handle handle, NewEvent event) {
        String stream = event.stream().map(id -> id.value()).orElse(NO_STREAM);
        long seq = EventRows.nextSeq(handle, stream);
        String id = Event.newId();
        Instant at = clock.instant();
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("type", event.type().wireName());
        body.put("id", id);
        body.put("created_at", ISO.format(at));
        body.set("data", event.data(seq));
        return EventRows.insert(
                handle, new Event(0, id, event.type(), event.stream(), seq, at, body.toString()));
    }

    private void notifyListeners(Event event, List<String> endpoints) {
        for (Listener listener : listeners) {
            try {
                listener.committed(event, endpoints);
            } catch (RuntimeException e) {
                log.error("event={} a listener failed", event.id(), e);
            }
        }
    }
}
