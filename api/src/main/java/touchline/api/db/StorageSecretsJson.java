package touchline.api.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.StorageKeys;

/**
 * The secrets of a storage as one text, to be sealed. Any thread.
 *
 * @param keys empty for folders
 * @param notifySecret empty where none was given
 */
record StorageSecretsJson(Optional<StorageKeys> keys, Optional<String> notifySecret) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ACCESS_KEY = "access_key";
    private static final String SECRET_KEY = "secret_key";
    private static final String NOTIFY_SECRET = "notify_secret";

    static StorageSecretsJson of(OutputStorage storage) {
        return new StorageSecretsJson(storage.keys(), storage.notifySecret());
    }

    String text() {
        ObjectNode json = JSON.createObjectNode();
        keys.ifPresent(
                each -> json.put(ACCESS_KEY, each.accessKey()).put(SECRET_KEY, each.secretKey()));
        notifySecret.ifPresent(secret -> json.put(NOTIFY_SECRET, secret));
        return json.toString();
    }

    static StorageSecretsJson parse(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            Optional<StorageKeys> keys =
                    json.has(SECRET_KEY)
                            ? Optional.of(
                                    new StorageKeys(
                                            json.path(ACCESS_KEY).asText(),
                                            json.path(SECRET_KEY).asText()))
                            : Optional.empty();
            return new StorageSecretsJson(
                    keys,
                    json.has(NOTIFY_SECRET)
                            ? Optional.of(json.path(NOTIFY_SECRET).asText())
                            : Optional.empty());
        } catch (JsonProcessingException e) {
            // The parser's own message would quote the text.
            throw new IllegalStateException("sealed secrets of a storage: not JSON");
        }
    }

    @Override
    public String toString() {
        return "StorageSecretsJson[***]";
    }
}
