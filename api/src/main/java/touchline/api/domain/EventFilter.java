package touchline.api.domain;

import java.util.List;
import java.util.Optional;
import touchline.media.StreamId;

/**
 * Which events an endpoint asks for. Immutable.
 *
 * @param types names of types, or {@link #ALL}
 * @param streams only events about these live streams; empty: all events
 */
public record EventFilter(List<String> types, Optional<List<String>> streams) {
    /** Every type, those of later versions too. */
    public static final String ALL = "*";

    public EventFilter {
        types = List.copyOf(types);
        streams = streams.map(List::copyOf);
    }

    public boolean accepts(EventType type, Optional<StreamId> stream) {
        boolean typed = types.contains(ALL) || types.contains(type.wireName());
        return typed
                && (streams.isEmpty()
                        || stream.map(StreamId::value).filter(streams.get()::contains).isPresent());
    }
}
