package touchline.config;

import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The configuration in force. A reload replaces it as a whole, so a reader sees all of the old
 * values or all of the new ones. A reader that needs several values takes its section once. Any
 * thread.
 */
public final class LiveConfig implements Supplier<ServerConfig> {
    /** Volatile: one thread publishes an immutable record, all others read it. */
    private volatile ServerConfig current;

    public LiveConfig(ServerConfig first) {
        this.current = first;
    }

    @Override
    public ServerConfig get() {
        return current;
    }

    /** A section, always as it is in force. */
    public <T> Supplier<T> section(Function<ServerConfig, T> section) {
        return () -> section.apply(current);
    }

    /**
     * Replaces the configuration. Bound ports, and addresses made from them, stay.
     *
     * @param next differs in reloadable keys only; its ports may be 0
     */
    public void replace(ServerConfig next) {
        ServerConfig before = current;
        current =
                next.withListeners(
                        next.api().withPort(before.api().port()),
                        next.playback().withPort(before.playback().port()),
                        next.rtmp().withPort(before.rtmp().port()),
                        next.cluster().withPort(before.cluster().port()),
                        before.tls(),
                        before.publicUrls());
    }
}
