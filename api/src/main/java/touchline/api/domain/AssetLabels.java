package touchline.api.domain;

/**
 * The stream's settings that a new asset copies. Immutable.
 *
 * @param title empty where none was given
 * @param userMetadata free text of the client; empty where none was given
 */
public record AssetLabels(String title, String userMetadata, Mp4Support mp4Support) {
    static AssetLabels of(StreamSettings settings) {
        return new AssetLabels(settings.title(), settings.userMetadata(), settings.mp4Support());
    }
}
