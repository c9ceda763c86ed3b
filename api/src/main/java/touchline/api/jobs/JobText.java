package touchline.api.jobs;

import com.github.kagkarlsson.scheduler.serializer.Serializer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Stores data of jobs as text, never as Java objects. Stateless. */
final class JobText implements Serializer {
    @Override
    public byte[] serialize(@Nullable Object data) {
        return String.valueOf(data).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] bytes) {
        return type.cast(new String(bytes, StandardCharsets.UTF_8));
    }
}
