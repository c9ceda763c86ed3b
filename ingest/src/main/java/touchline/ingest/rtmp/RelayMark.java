package touchline.ingest.rtmp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import touchline.ingest.RelayedPublish;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.rtmp.RtmpReplies.Status;

/**
 * An {@code onStatus} that is for the relaying node and not for its encoder: the property {@value
 * RelayCredential#PROPERTY} of its information says why another node has to be found. Stateless,
 * any thread.
 */
final class RelayMark {
    private static final String NOT_OWNER = "notOwner";
    private static final String STOPPING = "stopping";

    private RelayMark() {}

    static RtmpMessage notOwner(Status status) {
        return marked(status, NOT_OWNER);
    }

    static RtmpMessage stopping(Status status) {
        return marked(status, STOPPING);
    }

    private static RtmpMessage marked(Status status, String mark) {
        Map<String, AmfValue> info = new LinkedHashMap<>(status.info());
        info.put(RelayCredential.PROPERTY, new AmfValue.Text(mark));
        return status.message(info);
    }

    /**
     * Why to look for another node; empty for a status that the encoder gets.
     *
     * @param accepted whether the owner had accepted the publish
     */
    static Optional<RelayedPublish.Ended> of(RtmpMessage.Command status, boolean accepted) {
        return status.arguments().stream()
                .flatMap(each -> each.property(RelayCredential.PROPERTY).stream())
                .flatMap(value -> value.text().stream())
                .findFirst()
                .map(
                        mark -> {
                            if (accepted) {
                                return RelayedPublish.Ended.LOST;
                            }
                            return mark.equals(NOT_OWNER)
                                    ? RelayedPublish.Ended.NOT_OWNER
                                    : RelayedPublish.Ended.TIMED_OUT;
                        });
    }
}
