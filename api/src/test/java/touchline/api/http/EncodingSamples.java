package touchline.api.http;

/** Storages and tasks that the document's examples speak of. */
final class EncodingSamples {
    private static final String EXAMPLE_STORAGE = "sto_of_a_client";

    private EncodingSamples() {}

    /** The path with ids of things that are there. */
    static String prepared(ApiFixture api, String path) {
        String filled = path;
        if (path.contains("{storage_id}")) {
            filled = filled.replace("{storage_id}", storage(api));
        }
        if (path.contains("{task_id}")) {
            filled = filled.replace("{task_id}", task(api));
        }
        return filled;
    }

    /** The example with a storage that is there. */
    static String example(ApiFixture api, String example) {
        return example.contains(EXAMPLE_STORAGE)
                ? example.replace(EXAMPLE_STORAGE, storage(api))
                : example;
    }

    private static String storage(ApiFixture api) {
        return api.post(
                        "/vodencoding/v1/add_storage",
                        """
                        {"type": "file", "bucket": "archive", "notify": "https://client.example/"}
                        """)
                .data()
                .get("storage_id")
                .textValue();
    }

    private static String task(ApiFixture api) {
        return api.post(
                        "/vodencoding/v1/tasks",
                        """
                        {"storage_id": "%s", "input": "https://media.example/a.mp4",
                         "outputs": [{"format": "mp4"}]}
                        """
                                .formatted(storage(api)))
                .data()
                .at("/tasks/0/task_id")
                .textValue();
    }
}
