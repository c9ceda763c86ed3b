package touchline.api.db;

import java.nio.file.Path;
import java.util.Optional;
import touchline.api.domain.StreamDefinition;
import touchline.config.DatabaseConfig;

/** Reserves numbers and prints the end of each block once it is committed, until it is killed. */
final class CommitLoop {
    private CommitLoop() {}

    public static void main(String[] arguments) {
        DatabaseConfig config =
                new DatabaseConfig(Optional.empty(), Optional.empty(), Optional.empty(), 2);
        Database database = Database.open(config, Path.of(arguments[0]));
        StreamDefinition stream = Samples.stream();
        new StreamRepository(database, Samples.vault()).create(stream);
        MediaSequences sequences = new MediaSequences(database);
        System.out.println(">" + stream.id());
        while (true) {
            System.out.println(">" + sequences.reserve(stream.id(), 10).orElseThrow().end());
        }
    }
}
