package touchline.api.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.cluster.ownership.ResumeRecord;

/** What a session's successor needs, as JSON text of a column. Any thread. */
final class ResumeJson {
    private static final Logger log = LoggerFactory.getLogger(ResumeJson.class);

    /** A node of a later version may have added something. */
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private ResumeJson() {}

    static @Nullable String write(@Nullable ResumeRecord record) {
        if (record == null) {
            return null;
        }
        try {
            return JSON.writeValueAsString(record);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(record.toString(), e);
        }
    }

    /** Null where it is damaged: the session cannot go on. */
    static @Nullable ResumeRecord read(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return JSON.readValue(text, ResumeRecord.class);
        } catch (JsonProcessingException e) {
            log.warn("a session cannot go on here: its record is damaged: {}", e.getMessage());
            return null;
        }
    }
}
